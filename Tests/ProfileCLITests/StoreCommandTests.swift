import DataStoreCore
import Foundation
import Subprocess
import Testing
import TestScale

/// Tests of `store info`, `store check`, `store backup`, `store compact` and `store copy`.
@Suite struct StoreCommandTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    private struct Info: Decodable {
        struct Pages: Decodable { let mapByteCount: Int }
        let store: String
        let fileByteCount: Int
        let collections: [String: Int]
        let pages: Pages?
    }

    private func fill(_ store: Store, _ count: Int = 3) async throws {
        let lines = (0..<count).map { "{\"id\":\"user\($0)\",\"mailAddress\":\"user\($0)@example.com\"}\n" }
        #expect(try await cli.run("import", in: store, input: lines.joined()).code == 0)
        let weather = try String(contentsOf: Self.weather, encoding: .utf8)
        #expect(try await cli.run("forecast", "save", "--city", "130010", in: store, input: weather).code == 0)
    }

    private static let weather = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/weather/livedoor-130010.json").standardizedFileURL

    @Test("info prints the collections and the size", arguments: StoreKind.allCases)
    func info(_ kind: StoreKind) async throws {
        let store = cli.store(kind, "a b 😀")
        #expect(try await cli.run("store", "info", in: store).code == 66)
        try await fill(store)
        let info: Info = try await cli.run("store", "info", "--format", "json", in: store).document()
        #expect(info.store == store.text && info.collections == ["users": 3, "weather": 1])
        #expect(info.fileByteCount > 500 && (info.pages != nil) == (kind == .lmdb))
        let text = try await cli.run("store", "info", in: store)
        #expect(text.code == 0 && text.lines.contains("users\t3 records") && text.lines.contains("weather\t1 record"))
        #expect(try await cli.run("store", "info", in: .memory).code == 65)
    }

    @Test("check names a damaged record and changes nothing", arguments: StoreKind.allCases)
    func check(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        #expect(try await cli.run("store", "check", in: store).code == 66)
        try await fill(store)
        let clean = try await cli.run("store", "check", in: store)
        #expect(clean.code == 0 && clean.isOneSentence, "\(clean)")
        #expect(clean.error.hasPrefix("profile-cli: checked \(store.text): 4 records and "), "\(clean)")
        let file = kind == .lmdb ? cli.url("store/data.mdb") : cli.url("store")
        var bytes = try Data(contentsOf: file)
        // All occurrences: indexes and free pages may contain the address, too. The replacement keeps the order.
        let address = Data("user1@example.com".utf8)
        try #require(bytes.range(of: address) != nil)
        while let range = bytes.range(of: address) { bytes[range.upperBound - 1] = UInt8(ascii: "@") }
        try bytes.write(to: file)
        let damaged = try await cli.run("store", "check", in: store)
        #expect(damaged.code == 74 && !damaged.lines.isEmpty && damaged.output.contains("users/user1"), "\(damaged)")
        let document = try await cli.run("store", "check", "--format", "json", in: store)
        #expect(document.code == 74 && document.output.hasPrefix("{\"findings\":["))
        #expect(try Data(contentsOf: file) == bytes, "the file is unchanged")
    }

    @Test("A backup is a store with the same users", arguments: StoreKind.allCases)
    func backup(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        #expect(try await cli.run("store", "backup", "new", in: store).code == 66)
        try await fill(store)
        let made = try await cli.run("store", "backup", "new backup", in: store)
        #expect(made.code == 0 && made.isOneSentence, "\(made)")
        #expect(made.error.contains("backed up \(store.text) to new backup ("), "\(made)")
        #expect(try await cli.run("list", in: cli.store(kind, "new backup")).lines.count == 3)
        let again = try await cli.run("store", "backup", "new backup", in: store)
        #expect(again.code == 73 && again.isOneSentence, "\(again)")
        #expect(try await cli.run("store", "backup", "x", in: .memory).code == 65)
    }

    // MARK: Compacting

    @Test("compact removes the bytes of a deleted address", arguments: StoreKind.allCases)
    func compact(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        #expect(try await cli.run("store", "compact", in: store).code == 66)
        try await fill(store)
        try await cli.run("delete", "--yes", "--user", "user1", in: store)
        let compacted = try await cli.run("store", "compact", in: store)
        #expect(
            compacted.code == 0 && compacted.output.isEmpty && compacted.error.contains(" before, "), "\(compacted)")
        let file = kind == .lmdb ? cli.url("store/data.mdb") : cli.url("store")
        #expect(try Data(contentsOf: file).range(of: Data("user1@".utf8)) == nil)
        #expect(try await cli.run("list", in: store).lines.count == 2)
        #expect(try await cli.run("store", "check", in: store).code == 0)
        #expect(try await cli.run("store", "compact", in: .memory).code == 65)
    }

    @Test("A store that another program has open is not compacted")
    func compactOpenStore() async throws {
        let store = cli.store(.lmdb)
        try await fill(store)
        let code = try await cli.watch("watch", "--user", "user1", "--json", in: store) { watch in
            _ = try await watch.line()
            let refused = try await cli.run("store", "compact", in: store)
            #expect(refused.code == 75 && refused.isOneSentence && refused.error.contains("close it and retry"))
            try watch.send(.interrupt)
        }
        #expect(code == 128 + SIGINT)
        #expect(try await cli.run("store", "compact", in: store).code == 0)
    }

    @Test("Saves and compactions of concurrent programs lose nothing")
    func compactWhileSaving() async throws {
        let store = cli.store(.lmdb)
        try await fill(store)
        let count = TestScale.count(20, full: 200)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<count {
                    let saved = try await cli.run("set-mail", "new@example.com", "--user", "new\(number)", in: store)
                    #expect(saved.code == 0, "\(saved)")
                }
            }
            group.addTask {
                for _ in 0..<count {
                    let compacted = try await cli.run("store", "compact", in: store)
                    #expect([0, 75].contains(compacted.code), "\(compacted)")
                }
            }
            try await group.waitForAll()
        }
        #expect(try await cli.run("list", in: store).lines.count == count + 3)
        #expect(try await cli.run("store", "check", in: store).code == 0)
    }

    @Test("A killed compaction leaves a complete store")
    func killedCompaction() async throws {
        let store = cli.store(.lmdb)
        let killCount = TestScale.count(3, full: 30)
        let count = TestScale.count(2_000, full: 20_000)
        try await fill(store, count)
        var duration = try await ContinuousClock().measure { try await cli.run("store", "compact", in: store) }
        var (kills, tries) = (0, 0)
        while kills < killCount, tries < 10 * killCount {
            tries += 1
            let code = try await cli.runAndKill(
                "store", "compact", in: store, after: duration * Double.random(in: 0.05..<0.95))
            // The machine may have been busier during the measurement.
            if code == 137 { kills += 1 } else { duration = duration * 0.8 }
            #expect(try await cli.run("list", in: store).lines.count == count)
        }
        #expect(kills == killCount)
        #expect(try await cli.run("store", "compact", in: store).code == 0)
        #expect(try await cli.run("store", "check", in: store).code == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: cli.url("store").path)
        #expect(Set(files) == ["data.mdb", "lock.mdb"])
    }

    // MARK: Copying

    @Test("A copy has the same records")
    func copy() async throws {
        let (store, other) = (cli.store(.lmdb, "a"), cli.store(.plist, "b"))
        try await fill(store)
        let copied = try await cli.run("store", "copy", store.text, other.text)
        #expect(copied.code == 0 && copied.error.contains("copied and verified 4 records"), "\(copied)")
        for command in [["list"], ["forecast", "show", "130010"]] {
            #expect(try await cli.run(command, in: other).output == cli.run(command, in: store).output)
        }
        try await cli.run("delete", "--yes", "--user", "user0", in: store)
        let rejected = try await cli.run("store", "copy", store.text, other.text)
        #expect(rejected.code == 73 && rejected.isOneSentence, "\(rejected)")
        #expect(try await cli.run("list", in: other).lines.count == 3)
        #expect(try await cli.run("store", "copy", store.text, other.text, "--replace", "--yes").code == 0)
        #expect(try await cli.run("list", in: other).lines.count == 2)
    }

    @Test("A copy of a missing store, to itself or with memory is rejected")
    func rejectedCopies() async throws {
        let store = cli.store(.lmdb)
        try await fill(store)
        try FileManager.default.createSymbolicLink(at: cli.url("link"), withDestinationURL: cli.url("store"))
        for (from, to, code) in [
            (cli.store(.lmdb, "nothing"), store, 66), (store, cli.store(.lmdb, "link"), 65), (store, .memory, 65),
            (.memory, store, 65), (store, Store(text: "x:y"), 65),
        ] {
            let outcome = try await cli.run("store", "copy", from.text, to.text, "--replace", "--yes")
            #expect(outcome.code == code && outcome.isOneSentence, "\(outcome)")
        }
        for target in [store, cli.store(.lmdb, "link")] {
            let outcome = try await cli.run("store", "salvage", target.text, in: store)
            #expect(outcome.code == 65 && outcome.isOneSentence && outcome.error.contains("the same store"))
        }
        #expect(try await cli.run("list", in: store).lines.count == 3)
    }

    @Test("A killed copy leaves the target unchanged or complete", arguments: StoreKind.allCases)
    func killedCopy(_ kind: StoreKind) async throws {
        let (store, other) = (cli.store(.lmdb, "a"), cli.store(kind, "b"))
        let killCount = TestScale.count(2, full: 5)
        let count = kind == .lmdb ? TestScale.count(2_000, full: 5_000) : 1_000
        try await fill(store, count)
        try await cli.run("set-mail", "old@example.com", in: other)
        let clock = ContinuousClock()
        var duration = try await clock.measure {
            try await cli.run("store", "copy", store.text, cli.store(kind, "measured").text)
        }
        var (kills, tries) = (0, 0)
        while kills < killCount, tries < 10 * killCount {
            tries += 1
            let code = try await cli.runAndKill(
                "store", "copy", store.text, other.text, "--replace", "--yes", in: nil,
                after: duration * Double.random(in: 0.05..<0.9))
            // The machine may have been busier during the measurement.
            if code == 137 { kills += 1 } else { duration = duration * 0.6 }
            let users = try await cli.run("list", in: other)
            #expect(users.lines == ["me\told@example.com\t"] || users.lines.count == count, "all or nothing")
            if users.lines.count == count {
                _ = try await cli.shell("rm -r '\(cli.url("b").path)'")
                try await cli.run("set-mail", "old@example.com", in: other)
            }
        }
        #expect(kills == killCount)
    }

    @Test("A copy contains the records of other programs")
    func foreignRecords() async throws {
        let (store, other) = (cli.store(.lmdb, "a"), cli.store(.lmdb, "b"))
        try await fill(store)
        let key = try Key(collection: "notes", id: "1")
        let note: Record = ["title": .string("milk")]
        try await cli.using(.lmdb, "a") { try await $0.write { try $0.put(note, for: key) } }
        #expect(try await cli.run("store", "copy", store.text, other.text).code == 0)
        let copied = try await cli.using(.lmdb, "b") { try await $0.read { try $0.record(for: key) } }
        #expect(copied == note)
    }

    @Test("The indexes of a replaced store find the copied users", arguments: StoreKind.allCases)
    func copiedIndexes(_ kind: StoreKind) async throws {
        let (store, other) = (cli.store(.plist, "a"), cli.store(kind, "b"))
        try await fill(store)
        // Other users, and one with another address, saved by a program that maintains the indexes.
        let old = """
            {"id":"old","mailAddress":"old@example.com"}
            {"id":"user1","mailAddress":"one@example.com"}
            """
        #expect(try await cli.run("import", in: other, input: old).code == 0)
        #expect(try await cli.run("store", "copy", store.text, other.text, "--replace", "--yes").code == 0)
        for (address, count) in [("old", 0), ("one", 0), ("user1", 1)] {
            let found = try await cli.run("list", "--where", "mail = \(address)@example.com", in: other)
            #expect(found.lines.count == count, "\(found)")
        }
        let checked = try await cli.run("store", "check", in: other)
        #expect(checked.code == 0 && checked.output.isEmpty, "\(checked)")
    }

    // MARK: Indexes

    @Test("An index that does not match its records is reported and rebuilt")
    func wrongIndex() async throws {
        let store = cli.store(.lmdb)
        try await fill(store)
        // The first entry of the second index is missing.
        try await cli.using(.lmdb, "store") { store in
            try await store.write { transaction in _ = try transaction.backend.removeFirst(1, of: "\0x2") }
        }
        let checked = try await cli.run("store", "check", in: store)
        #expect(
            checked.code == 74 && checked.lines.count == 1 && checked.output.contains("the index birthday of users"),
            "\(checked)")
        let rebuilt = try await cli.run("store", "check", "--rebuild-indexes", in: store)
        #expect(rebuilt.code == 0 && rebuilt.output.isEmpty, "\(rebuilt)")
        #expect(rebuilt.error.contains("rebuilt all indexes of \(store.text)"), "\(rebuilt)")
        #expect(try await cli.run("store", "check", in: store).code == 0)
        for store in [cli.store(.lmdb, "nothing"), .memory] {
            let rejected = try await cli.run("store", "check", "--rebuild-indexes", in: store)
            #expect(
                rejected.code == (store.text == Store.memory.text ? 65 : 66) && rejected.isOneSentence, "\(rejected)")
        }
        #expect(!FileManager.default.fileExists(atPath: cli.url("nothing").path))
    }

    @Test("A search builds missing indexes")
    func missingIndexes() async throws {
        let (store, other) = (cli.store(.plist, "a"), cli.store(.lmdb, "b"))
        try await fill(store, 1500)
        let third = cli.store(.lmdb, "c")
        for target in [other, third] {
            #expect(try await cli.run("store", "copy", store.text, target.text).code == 0)
        }
        // The explanation describes the query that a list would run.
        let explain = ["list", "--explain", "--where", "mail = user7@example.com"]
        #expect(try await cli.run(explain, in: third).output.contains("read 1 index entry"))
        let terminal = try cli.terminal("list", "--where", "mail = user7@example.com", in: other)
        #expect(try await terminal.end() == 0)
        #expect(terminal.output.contains("building the index users by "), "\(terminal.output)")
        #expect(terminal.output.contains("user7  user7@example.com"), "\(terminal.output)")
        #expect(try await cli.run(explain, in: other).output.contains("read 1 index entry"))
    }
}
