import DataStoreCore
import Testing

@Suite struct DataStoreErrorTests {
    @Test("A description has the operation, the key, the path and the reason")
    func description() throws {
        let key = try Key(collection: "users", id: "m\u{1B}e")
        let error = DataStoreError(.full, "there is no room left")
            .adding(operation: "save a record", key: key, path: "/var/lib/store")
        #expect(
            "\(error)" == "could not save a record (key users/m\\u{1b}e) at /var/lib/store: there is no room left")
    }

    @Test("Existing context of an error is not replaced")
    func context() {
        let error = DataStoreError(.busy, "it is locked", operation: "commit").adding(operation: "save", path: "/a")
        #expect(error.operation == "commit")
        #expect(error.adding(path: "/b").path == "/a")
    }

    @Test("An invalid key is truncated in messages")
    func invalidKey() {
        #expect {
            try Key(collection: "c", id: String(repeating: "x", count: 1000))
        } throws: { error in
            "\(error)".contains("480 bytes together") && "\(error)".contains("1001") && "\(error)".count < 250
        }
    }
}
