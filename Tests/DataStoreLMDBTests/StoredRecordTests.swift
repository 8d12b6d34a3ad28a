import DataStoreCore
import DataStoreLMDB
import Testing

/// Records that are read in place, one field at a time.
@Suite struct StoredRecordTests {
    private let subject: LMDBSubject
    private let key: Key

    init() throws {
        subject = try LMDBSubject()
        key = try Key(collection: "c", id: "id")
    }

    @Test(
        "A field is found behind values of each type",
        arguments: [
            Value.date(Timestamp(seconds: 1)), .date(Timestamp(seconds: 1, nanoseconds: 2) ?? Timestamp(seconds: 1)),
            .array([]), .record([:]), .string("text"), .data([1]), .real(1.1), .integer(-1000), .bool(true),
        ])
    func skippedFields(_ value: Value) async throws {
        let store = try await subject.open()
        for depth in [0, 1, Record.maximumDepth - 1, Record.maximumDepth] {
            if depth == Record.maximumDepth, value == .array([]) || value == .record([:]) { continue }
            let nested = (0..<depth).reduce(value) { value, level in
                level.isMultiple(of: 2) ? .array([value]) : .record(["v": value])
            }
            try await store.write { [key] in try $0.put(["a": nested, "b": .integer(7)], for: key) }
            let found = try await store.read { transaction in
                try transaction.withView(of: key) { view in
                    [try view.value(of: "b"), try view.value(of: "a"), try view.value(of: "c")]
                }
            }
            #expect(found == [.integer(7), nested, nil], "at a depth of \(depth)")
        }
        await store.close()
    }
}
