import DataStoreCore
import DataStorePlist
import DataStoreTesting
import Foundation
import Testing

/// Tests of files that other programs read and rewrite.
@Suite(.enabled("python3 and plistutil are installed", OtherProgram.areInstalled))
struct InterchangeTests {
    private static let formats: [PlistDataStore.Format] = [.xml, .binary]

    @Test("A file that another program has rewritten has the same records", arguments: OtherProgram.allCases, formats)
    func rewrittenFile(_ program: OtherProgram, _ format: PlistDataStore.Format) async throws {
        var random = SeededGenerator()
        print("rewriting by \(program): seed \(random.seed)")
        let subject = try PlistSubject(format)
        let store = try await subject.open()
        var records: [Key: Record] = [:]
        for number in 0..<300 {
            let id = number.isMultiple(of: 3) ? "\(number) \u{1} e\u{301} \u{1F600} <&>" : "\(number)"
            records[try Key(collection: "c\(number % 7)", id: id)] = .random(using: &random)
        }
        try await store.write { [records] in for (key, record) in records { try $0.put(record, for: key) } }
        await store.close()
        for target in Self.formats {
            let file = subject.directory.appending(path: "\(program)-\(target).plist")
            let complaint = try await program.rewrite(subject.file, to: file, isBinary: target == .binary)
            #expect(complaint.isEmpty)
            #expect(try Data(contentsOf: file).starts(with: Data("bplist00".utf8)) == (target == .binary))
            let rewritten = try PlistDataStore(path: file.path)
            for (key, record) in records {
                #expect(try rewritten.read { try $0.record(for: key) } == record, "\(key), seed \(random.seed)")
            }
            let count = try rewritten.read { transaction in
                try (0..<7).map { try transaction.records(in: Scan("c\($0)")).count }.reduce(0, +)
            }
            #expect(count == records.count)
            // The reverse direction: the store writes to the file of the other program, and that program reads it
            // again.
            try await rewritten.write { try $0.put(["new": .bool(true)], for: Key(collection: "new", id: "new")) }
            await rewritten.close()
            let again = subject.directory.appending(path: "again-\(target).plist")
            #expect(try await program.rewrite(file, to: again, isBinary: target == .binary).isEmpty)
            let last = try PlistDataStore(path: again.path)
            #expect(try last.read { try $0.record(for: Key(collection: "new", id: "new")) } == ["new": .bool(true)])
            await last.close()
        }
    }

    /// The types have no counterpart in a record, and the nearest type would not be correct.
    @Test("Entries of other programs keep their values and types", arguments: formats)
    func foreignEntries(_ format: PlistDataStore.Format) async throws {
        let subject = try PlistSubject(format)
        let script = """
            import datetime, plistlib, sys
            entries = {
                "big": 2**63 + 5, "biggest": 2**64 - 1, "least": -2**63,
                "one": 1, "yes": True, "real": 1.0, "tenth": 0.1,
                "when": datetime.datetime(1969, 7, 20, 20, 17, 40), "bytes": bytes(range(256)),
                "text": "e\\u0301 <&> \\n\\t",
                "deep": [[[{"a": [], "b": {}, "": ""}]]], "infinite": float("inf"), "long": "x" * 100000,
                "many": {str(number): [number, float(number)] for number in range(1000)},
            }
            isBinary = sys.argv[2] == "binary"
            if isBinary: entries["uid"] = plistlib.UID(70000)
            with open(sys.argv[1], "rb") as file: found = plistlib.load(file)
            if sys.argv[3] == "check":
                del found["UserProfile"]
                # The bytes of a binary property list tell kinds apart that are equal to Python.
                def asBytes(root): return plistlib.dumps(root, fmt=plistlib.FMT_BINARY)
                if asBytes(found) != asBytes(entries): sys.exit("the entries are " + repr(found)[:2000])
            else:
                with open(sys.argv[1], "wb") as file:
                    plistlib.dump(entries, file, fmt=plistlib.FMT_BINARY if isBinary else plistlib.FMT_XML)
            """
        try PropertyListSerialization.data(
            fromPropertyList: [String: Any](), format: .xml, options: 0
        ).write(to: subject.file)
        func python(_ what: String) async throws -> String {
            try await OtherProgram.run("python3", ["-c", script, subject.file.path, "\(format)", what])
        }
        #expect(try await python("write").isEmpty)
        for number in 0..<3 {
            let store = try await subject.open()
            try await store.write { try $0.put(["n": .integer(1)], for: Key(collection: "c", id: "\(number)")) }
            await store.close()
            #expect(try await python("check") == "")
        }
    }
}
