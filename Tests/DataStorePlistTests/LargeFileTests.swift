import DataStoreCore
import DataStorePlist
import Foundation
import Testing

/// Tests of files of small or moderate size that take much time or memory if a reader is careless.
@Suite(.timeLimit(.minutes(5))) struct LargeFileTests {
    private let subject: PlistSubject

    init() throws { subject = try PlistSubject(.binary) }

    @Test("A file with 200,000 keys of other programs on one line is opened and saved")
    func keysOnOneLine() async throws {
        let keys = (0..<200_000).map { "<key>k\($0)</key><true/>" }.joined()
        try Data("<plist><dict>\(keys)</dict></plist>".utf8).write(to: subject.file)
        let store = try PlistDataStore(path: subject.path)
        try await store.write { try $0.put([:], for: Key(collection: "c", id: "a")) }
        #expect(try store.read { try $0.record(for: Key(collection: "c", id: "a")) } == [:])
        await store.close()
    }

    @Test("A save does not multiply data that the records of a file share")
    func sharedData() async throws {
        let script = """
            import plistlib, sys
            data = bytes(1 << 20)
            records = {str(number): {"data": data, "text": "x" * 1000} for number in range(300)}
            root = {"UserProfile": {"$format": 2, "c": records}}
            with open(sys.argv[1], "wb") as file: plistlib.dump(root, file, fmt=plistlib.FMT_BINARY)
            """
        guard await OtherProgram.areInstalled() else { return }
        #expect(try await OtherProgram.run("python3", ["-c", script, subject.path]).isEmpty)
        let before = try Data(contentsOf: subject.file).count
        let store = try PlistDataStore(path: subject.path)
        for number in 0..<3 {
            try await store.write { try $0.put(["n": .integer(1)], for: Key(collection: "c", id: "new \(number)")) }
        }
        await store.close()
        #expect(try Data(contentsOf: subject.file).count < before + 10_000)
        let found = try PlistDataStore(path: subject.path).read { try $0.records(in: Scan("c")) }
        #expect(found.count == 303)
        let sizes = found.compactMap { entry in
            if case .data(let data)? = entry.record["data"] { data.count } else { nil }
        }
        #expect(sizes == Array(repeating: 1 << 20, count: 300))
    }

    @Test(
        "The deepest record with a fraction of a second is read back equal",
        arguments: [PlistDataStore.Format.xml, .binary])
    func deepestRecord(format: PlistDataStore.Format) async throws {
        let subject = try PlistSubject(format)
        var value = Value.date(try #require(Timestamp(seconds: .min, nanoseconds: 1)))
        for _ in 0..<Record.maximumDepth { value = .array([value]) }
        let record: Record = ["value": value]
        let store = try await subject.open()
        try await store.write { try $0.put(record, for: Key(collection: "c", id: "a")) }
        await store.close()
        #expect(try await subject.open().read { try $0.record(for: Key(collection: "c", id: "a")) } == record)
    }

    @Test("A file with two entries UserProfile is recovered as a file that can be read")
    func twoEntries() async throws {
        let entry = "<key>UserProfile</key>\n<dict><key>$format</key><integer>2</integer></dict>\n"
        try Data("<plist>\n<dict>\n\(entry)\(entry)</dict>\n</plist>\n".utf8).write(to: subject.file)
        #expect(throws: DataStoreError.self) { try PlistDataStore(path: subject.path) }
        _ = try await PlistDataStore.recover(subject.path)
        _ = try PlistDataStore(path: subject.path)
    }
}
