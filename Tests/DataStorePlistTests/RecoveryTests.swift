import DataStoreCore
import DataStorePlist
import DataStoreTesting
import Foundation
import Testing
import TestScale

/// Tests of the errors for damaged files, and of the recovery of their intact records.
@Suite struct RecoveryTests {
    private static let formats: [PlistDataStore.Format] = [.xml, .binary]
    private static let recordCount = 20
    private static let mayLackMore = "more records or entries may be lost"

    @Test("Recovery leaves an intact file unchanged", arguments: formats)
    func soundFile(_ format: PlistDataStore.Format) async throws {
        let subject = try await filled(format)
        let before = try await subject.snapshot()
        let report = try await PlistDataStore.recover(subject.file.path)
        #expect(report.damagedFile == nil && report.losses == [])
        #expect(report.savedCount == Self.recordCount)
        #expect(try await subject.snapshot() == before)
        #expect(try names(in: subject) == ["profile.plist", "profile.plist.lock"])
    }

    /// A file that is truncated at any position is an error with a position, and recovery invents no record.
    @Test("Recovery of a truncated file saves the records before the cut", arguments: formats)
    func truncatedFile(_ format: PlistDataStore.Format) async throws {
        let subject = try await filled(format)
        let whole = try Data(contentsOf: subject.file)
        var savedCounts: [Int] = []
        // Starts after the signature, because a shorter file could be anything.
        for length in stride(from: 10, to: whole.count - 1, by: 97) {
            let bytes = whole.prefix(length)
            try bytes.write(to: subject.file)
            let error = try #require(failure(of: subject))
            #expect(error.code == .corrupted, "\(length)")
            let cause = try #require(error.underlying as? PropertyListError)
            #expect((0...length).contains(cause.offset))
            #expect((cause.position?.line == nil) == (format == .binary))
            #expect(try Data(contentsOf: subject.file) == bytes)

            let report = try await PlistDataStore.recover(subject.file.path)
            #expect(report.losses.count > 1 && report.losses.last == Self.mayLackMore, "\(length)")
            let kept = try #require(report.damagedFile)
            #expect(try Data(contentsOf: URL(filePath: kept)) == bytes)
            let found = try records(in: subject)
            #expect(found.count == report.savedCount)
            for (id, record) in found { #expect(record == Self.record(Int(id) ?? -1), "\(length): \(id)") }
            savedCounts.append(found.count)
        }
        #expect(savedCounts.first == 0)
        #expect(savedCounts.contains(Self.recordCount - 1))
        #expect(zip(savedCounts, savedCounts.dropFirst()).allSatisfy { $0 <= $1 })
        // None of the damaged files overwrote another one.
        #expect(try names(in: subject).count { $0.contains(".damaged-") } == savedCounts.count)
    }

    /// Any byte is changed. Recovery returns the original records, except for the value that contains the byte.
    @Test("A changed byte damages at most the value that contains it", arguments: formats)
    func changedByte(_ format: PlistDataStore.Format) async throws {
        let random = SeededGenerator()
        print("another byte: seed \(random.seed)")
        var generator = random
        let subject = try await filled(format)
        let whole = try Data(contentsOf: subject.file)
        var (recoveredCount, savedCount) = (0, 0)
        let trials = TestScale.count(50, full: 200)
        for _ in 0..<trials {
            var bytes = whole
            let offset = Int.random(in: 8..<bytes.count, using: &generator)
            bytes[offset] =
                format == .xml ? UInt8(ascii: "<") : bytes[offset] ^ UInt8.random(in: 1...255, using: &generator)
            try bytes.write(to: subject.file)
            guard let error = failure(of: subject) else { continue }
            guard error.code == .corrupted else { continue }
            let report = try await PlistDataStore.recover(subject.file.path)
            let found = try records(in: subject)
            #expect(try recordCount(in: subject) == report.savedCount)
            let others = found.filter { $0.value != Self.record(Int($0.key) ?? -1) }
            #expect(format == .binary || others.count <= 1, "seed \(random.seed), byte \(offset)")
            recoveredCount += 1
            savedCount += found.count
        }
        print("another byte: \(recoveredCount) files, \(savedCount) of \(recoveredCount * Self.recordCount) records")
        #expect(recoveredCount > trials / 10)
        // A byte in the tables of a binary file may damage many records, and few files are recovered.
        #expect(savedCount > recoveredCount * Self.recordCount / 2)
    }

    @Test("A damaged record does not affect other records", arguments: formats)
    func damagedRecord(_ format: PlistDataStore.Format) async throws {
        let subject = try await filled(format)
        try await subject.damage(Key(collection: "c", id: "7"))
        let report = try await PlistDataStore.recover(subject.file.path)
        #expect(report.lostKeys == ["c/7"])
        #expect(report.losses.count == 1)
        #expect(report.savedCount == Self.recordCount - 1)
        #expect(try records(in: subject).count == Self.recordCount - 1)
        let root = try subject.parsed()
        #expect(root["Before"] as? [Int] == [1, 2] && root["After"] as? String == "theirs")
        // The next damaged file is kept, too.
        try await subject.damage(Key(collection: "c", id: "8"))
        let next = try await PlistDataStore.recover(subject.file.path)
        #expect(next.damagedFile != report.damagedFile && next.damagedFile != nil)
    }

    @Test("The comments around a damaged record are kept")
    func comments() async throws {
        let subject = try PlistSubject()
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0">
            <dict>
            \t<!-- a note -->
            \t<key>UserProfile</key>
            \t<dict>
            \t\t<key>$format</key> <integer>2</integer>
            \t\t<key>c</key>
            \t\t<dict>
            \t\t\t<key>bad</key> <string>no record</string>
            \t\t\t<key>good</key> <dict/>
            \t\t</dict>
            \t</dict>
            </dict>
            </plist>

            """
        try Data(text.utf8).write(to: subject.file)
        let error = try #require(failure(of: subject))
        let cause = try #require(error.underlying as? PropertyListError)
        #expect(cause.position?.line == 10 && cause.position?.column == 19)
        let report = try await PlistDataStore.recover(subject.file.path)
        #expect(report.losses.first?.contains("at line 10,") == true)
        #expect(try String(contentsOf: subject.file, encoding: .utf8).contains("<!-- a note -->"))
        #expect(try records(in: subject) == ["good": [:]])
    }

    @Test("An open store continues with the recovered file")
    func openStore() async throws {
        let subject = try await filled(.xml)
        let store = try await subject.open()
        let whole = try Data(contentsOf: subject.file)
        try whole.prefix(whole.count / 2).write(to: subject.file)
        await #expect(throws: DataStoreError.self) {
            try await store.write { try $0.put([:], for: Key(collection: "c", id: "new")) }
        }
        let report = try await PlistDataStore.recover(subject.file.path)
        #expect(report.savedCount > 0)
        try await store.write { try $0.put([:], for: Key(collection: "c", id: "new")) }
        #expect(try records(in: subject).count == report.savedCount + 1)
    }

    @Test("A file that is not a store is not recovered")
    func recoveryOfNoStore() async throws {
        let subject = try PlistSubject()
        for contents in [
            "", "some text", "<plist version=\"1.0\"><array/></plist>", "<?xml version=\"1.0\"?>\n<svg><g/></svg>",
            "<?xml version=\"1.0\"?>\ntext", "<!-- a page --><html></html>", "bplist00Qa",
        ] {
            try Data(contents.utf8).write(to: subject.file)
            #expect(failure(of: subject)?.code == .notAStore, "\(contents)")
            await #expect {
                try await PlistDataStore.recover(subject.file.path)
            } throws: { ($0 as? DataStoreError)?.code == .notAStore }
            #expect(try Data(contentsOf: subject.file) == Data(contents.utf8))
        }
        try FileManager.default.removeItem(at: subject.file)
        await #expect {
            try await PlistDataStore.recover(subject.file.path)
        } throws: { ($0 as? DataStoreError)?.code == .noStore }
        try await subject.fillAndRaiseFormatVersion()
        await #expect {
            try await PlistDataStore.recover(subject.file.path)
        } throws: { ($0 as? DataStoreError)?.code == .unsupportedFormat }
    }

    @Test("A store whose beginning is damaged is recovered")
    func damagedBeginning() async throws {
        let subject = try await filled(.xml)
        let text = try String(contentsOf: subject.file, encoding: .utf8)
        try Data(text.replacing("<plist version", with: "<svg version").utf8).write(to: subject.file)
        #expect(failure(of: subject)?.code == .corrupted)
        #expect(try await PlistDataStore.recover(subject.file.path).savedCount == Self.recordCount)
    }

    // MARK: Contents of the files

    private func filled(_ format: PlistDataStore.Format) async throws -> PlistSubject {
        let subject = try PlistSubject(format)
        let others: [String: Any] = ["Before": [1, 2], "After": "theirs"]
        let plistFormat: PropertyListSerialization.PropertyListFormat = format == .xml ? .xml : .binary
        try PropertyListSerialization.data(fromPropertyList: others, format: plistFormat, options: 0)
            .write(to: subject.file)
        let store = try await subject.open()
        try await store.write { transaction in
            for number in 0..<Self.recordCount {
                try transaction.put(Self.record(number), for: Key(collection: "c", id: "\(number)"))
            }
        }
        await store.close()
        return subject
    }

    private static func record(_ number: Int) -> Record {
        [
            "text": .string("text <\(number)>"), "number": .integer(Int64(number)), "flag": .bool(true),
            "nested": .record(["c": .record(["x": .real(0.5)]), "dates": .array([.date(Timestamp(seconds: 5))])]),
            "data": .data(Array(repeating: UInt8(truncatingIfNeeded: number), count: 30)),
        ]
    }

    private func records(in subject: PlistSubject) throws -> [String: Record] {
        let entries = try PlistDataStore(path: subject.file.path).read { try $0.records(in: Scan("c")) }
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.key.id, $0.record) })
    }

    /// Returns the number of records of all collections: a changed reference can move a record to another one.
    private func recordCount(in subject: PlistSubject) throws -> Int {
        try PlistDataStore(path: subject.file.path).read { transaction in
            try transaction.collections().reduce(0) { try $0 + transaction.records(in: Scan($1)).count }
        }
    }

    private func names(in subject: PlistSubject) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: subject.directory.path).sorted()
    }

    /// Returns the error of opening a store, or `nil` if it opens.
    private func failure(of subject: PlistSubject) -> DataStoreError? {
        do throws(DataStoreError) {
            _ = try PlistDataStore(path: subject.file.path)
            return nil
        } catch {
            return error
        }
    }
}
