import Foundation
import Testing

/// Tests that commands leave damaged stores, and other files in place of a store, unchanged byte for byte.
@Suite struct BadStoreTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    /// Expects that a read and a save are both rejected with an exit code and change nothing.
    private func expectRejection(
        _ code: Int32, of store: Store, naming words: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try cli.snapshot()
        for arguments in [["get-mail"], ["set-mail", "other@example.com"], ["delete"], ["forecast", "list"]] {
            let outcome = try await cli.run(arguments, in: store)
            #expect(outcome.code == code && outcome.output.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
            if let words {
                #expect(outcome.error.contains(words), "\(outcome)", sourceLocation: sourceLocation)
            }
            #expect(outcome.error.count { $0.isNewline } == 1, "\(outcome)", sourceLocation: sourceLocation)
            #expect(try cli.snapshot() == before, sourceLocation: sourceLocation)
        }
    }

    /// Edits the record of a user in a property list, as a person would.
    private func edit(_ change: (inout [String: Any]) throws -> Void) async throws {
        try await cli.run("set-mail", "vision@example.com", in: cli.store(.plist))
        let bytes = try Data(contentsOf: cli.url("store"))
        let parsed = try unsafe PropertyListSerialization.propertyList(from: bytes, options: [], format: nil)
        var root = try #require(parsed as? [String: Any])
        var ownEntry = try #require(root["UserProfile"] as? [String: Any])
        try change(&ownEntry)
        root["UserProfile"] = ownEntry
        try cli.write(
            try PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0), to: "store")
    }

    // MARK: Other files in place of a store

    @Test(
        "A file that is not a store exits with 73 and is left unchanged", arguments: StoreKind.allCases,
        ["", "to buy: milk", "{}"])
    func fileInPlaceOfStore(_ kind: StoreKind, _ text: String) async throws {
        try cli.write(text, to: "store")
        try await expectRejection(73, of: cli.store(kind))
    }

    @Test("A directory instead of a property list exits with 73 and is kept")
    func directoryInPlaceOfFile() async throws {
        try cli.write("to buy: milk", to: "store/list.txt")
        try await expectRejection(73, of: cli.store(.plist))
    }

    @Test(
        "A directory with a foreign data.mdb exits with 73 and is left unchanged",
        arguments: [Data("x".utf8), Data(repeating: 0x5A, count: 100_000)])
    func foreignDataFile(_ bytes: Data) async throws {
        try cli.write(bytes, to: "store/data.mdb")
        try await expectRejection(73, of: cli.store(.lmdb))
    }

    @Test("A file instead of a directory of the path exits with 73", arguments: StoreKind.allCases)
    func fileInPath(_ kind: StoreKind) async throws {
        try cli.write("to buy: milk", to: "list")
        try await expectRejection(73, of: cli.store(kind, "list/store"))
        try await expectRejection(73, of: cli.store(kind, "list/more/store"))
    }

    @Test("An entry of another program in the property list exits with 73")
    func foreignEntry() async throws {
        try cli.write(
            try PropertyListSerialization.data(fromPropertyList: ["UserProfile": 7], format: .binary, options: 0),
            to: "store")
        try await expectRejection(73, of: cli.store(.plist))
    }

    // MARK: Damage

    @Test("A truncated property list exits with 74", arguments: [1, 60, 300])
    func truncatedPropertyList(_ missing: Int) async throws {
        try await edit { _ in }
        let bytes = try Data(contentsOf: cli.url("store"))
        try cli.write(bytes.dropLast(missing + 10), to: "store")
        try await expectRejection(74, of: cli.store(.plist))
    }

    @Test("A store for which no file descriptors are left exits with 74", arguments: [5, 6])
    func fileDescriptors(_ count: Int) async throws {
        let store = cli.store(.lmdb)
        try await cli.run("set-mail", "vision@example.com", in: store)
        let outcome = try await cli.shell("ulimit -n \(count); profile-cli get-mail --store \(store.text)")
        #expect(outcome.code == 74 && outcome.isOneSentence, "\(outcome)")
        #expect(outcome.error.contains("too many open files"), "\(outcome)")
        #expect(try await cli.run("get-mail", in: store).lines == ["vision@example.com"])
    }

    @Test("A damaged record exits with 74 and is named")
    func damagedRecord() async throws {
        try await edit { $0["users"] = ["me": "not a dictionary"] }
        try await expectRejection(74, of: cli.store(.plist), naming: "users/me")
    }

    @Test(
        "A record with an invalid value exits with 74 and is named",
        arguments: [["mailAddress": "no address", "mailAddress-key": "no address"], ["birthday": "2011-02-30"]])
    func invalidRecord(_ record: [String: String]) async throws {
        try await edit { $0["users"] = ["me": record] }
        let before = try Data(contentsOf: cli.url("store"))
        for arguments in [["get-mail"], ["show"], ["list"], ["set-birthday", "2011-08-01"]] {
            let outcome = try await cli.run(arguments, in: cli.store(.plist))
            #expect(outcome.code == 74 && outcome.output.isEmpty && outcome.error.contains("users/me"), "\(outcome)")
        }
        #expect(try Data(contentsOf: cli.url("store")) == before)
    }

    @Test("A changed byte in an LMDB store exits with 74 and the record is named")
    func changedByte() async throws {
        let store = cli.store(.lmdb)
        try await cli.run("set-mail", "vision@example.com", in: store)
        let file = cli.url("store/data.mdb")
        var bytes = try Data(contentsOf: file)
        // Free pages may contain it, too.
        while let range = bytes.range(of: Data("vision@example.com".utf8)) {
            bytes[range.lowerBound] = UInt8(ascii: "V")
        }
        try bytes.write(to: file)
        for arguments in [["get-mail"], ["list"], ["set-birthday", "2011-08-01"]] {
            let outcome = try await cli.run(arguments, in: store)
            #expect(outcome.code == 74 && outcome.output.isEmpty && outcome.error.contains("users/me"), "\(outcome)")
        }
        #expect(try Data(contentsOf: file) == bytes)
    }

    @Test("A damaged index entry is reported under the name of its index, with the command that repairs it")
    func damagedIndexEntry() async throws {
        let store = cli.store(.lmdb)
        for id in ["ada", "me"] { try await cli.run("set-mail", "\(id)@example.com", "--user", id, in: store) }
        #expect(try await cli.run("list", "--sort", "mail", in: store).code == 0)
        let file = cli.url("store/data.mdb")
        var bytes = try Data(contentsOf: file)
        // The key of an entry contains the number of the index and the id of the user.
        let prefix = Data("\0x1\0".utf8)
        var position = bytes.startIndex
        while let range = bytes.range(of: prefix, in: position..<bytes.endIndex) {
            if let id = bytes.range(
                of: Data("ada".utf8), in: range.upperBound..<min(range.upperBound + 40, bytes.endIndex))
            {
                bytes[id.lowerBound] = UInt8(ascii: "b")
            }
            position = range.upperBound
        }
        try bytes.write(to: file)
        let check = try await cli.run("store", "check", in: store)
        #expect(check.code == 74 && !check.lines.isEmpty, "\(check)")
        #expect(
            check.lines.allSatisfy { $0.hasPrefix("an entry of the index ") && $0.contains(" of users: ") }, "\(check)")
        #expect(check.error.contains("profile-cli store check --rebuild-indexes --store \(store.text)"), "\(check)")
        #expect(try await cli.run("store", "check", "--rebuild-indexes", in: store).code == 0)
    }

    @Test("The report on a damaged store names the next command", arguments: StoreKind.allCases)
    func nextCommand(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("set-mail", "vision@example.com", in: store)
        let file = cli.url(kind == .lmdb ? "store/data.mdb" : "store")
        let bytes = try Data(contentsOf: file)
        try bytes.prefix(kind == .lmdb ? 8192 : bytes.count - 40).write(to: file)
        let check = try await cli.run("store", "check", in: store)
        let command = kind == .lmdb ? "store salvage lmdb:NEW" : "store recover"
        #expect(check.code == 74 && check.error.contains("\(command) --store \(store.text)\n"), "\(check)")
    }

    @Test("A truncated LMDB file exits with 74")
    func truncatedDataFile() async throws {
        let store = cli.store(.lmdb)
        try await cli.run("set-mail", "vision@example.com", in: store)
        let file = cli.url("store/data.mdb")
        // The two meta pages exist, but the pages that they refer to do not.
        let bytes = try Data(contentsOf: file).prefix(8192)
        try bytes.write(to: file)
        for arguments in [["get-mail"], ["set-mail", "other@example.com"]] {
            let outcome = try await cli.run(arguments, in: store)
            #expect(outcome.code == 74 && outcome.output.isEmpty)
        }
        #expect(try Data(contentsOf: file) == bytes)
    }

    @Test("A store in a newer format exits with 74")
    func newerFormat() async throws {
        try await edit { $0["$format"] = 4 }
        try await expectRejection(74, of: cli.store(.plist), naming: "use the program that wrote the store")
    }
}
