import DataStoreCore
import DataStoreQueries
import Foundation
import Testing

/// Tests of `record` and `setting`.
@Suite struct RecordCommandTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    // MARK: Records

    @Test("A record of any collection is saved, printed, listed and deleted", arguments: StoreKind.allCases)
    func record(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        let saved = try await cli.run("record", "set", "trips", "kyoto", #"{"title":"京都","days":3}"#, in: store)
        #expect(saved.code == 0 && saved.output.isEmpty && saved.error.isEmpty)
        try await cli.run("record", "set", "trips", "a", "-", in: store, input: #" { "at" : {"$data":"AQ=="} } "#)
        let read = try await cli.run("record", "get", "trips", "kyoto", in: store)
        #expect(read.code == 0 && read.lines == [#"{"days":3,"title":"京都"}"#] && read.error.isEmpty)
        let list = try await cli.run("record", "list", "trips", in: store)
        let lines = [
            #"{"id":"a","record":{"at":{"$data":"AQ=="}}}"#, #"{"id":"kyoto","record":{"days":3,"title":"京都"}}"#,
        ]
        #expect(list.code == 0 && list.lines == lines)
        #expect(try await cli.run("record", "list", "trips", "--after", "a", in: store).lines == [lines[1]])
        #expect(try await cli.run("record", "list", "trips", "--limit", "1", in: store).lines == [lines[0]])
        #expect(try await cli.run("record", "delete", "trips", "a", "--yes", in: store).code == 0)
        #expect(try await cli.run("record", "list", "trips", in: store).lines == [lines[1]])
    }

    @Test("A list of many records is complete")
    func manyRecords() async throws {
        let count = 2500
        try await cli.using(.lmdb) { store in
            try await store.write { transaction in
                for number in 0..<count {
                    try transaction.put([:], for: Key(collection: "numbers", id: "\(10_000 + number)"))
                }
            }
        }
        let lines = try await cli.run("record", "list", "numbers", in: cli.store(.lmdb)).lines
        #expect(lines.count == count && lines.last == #"{"id":"12499","record":{}}"#)
        #expect(
            try await cli.run("record", "list", "numbers", "--limit", "1001", in: cli.store(.lmdb)).lines.count == 1001)
    }

    @Test("A missing record or collection exits with 1", arguments: StoreKind.allCases)
    func missing(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("record", "set", "trips", "kyoto", "{}", in: store)
        for command in [["get", "trips", "x"], ["delete", "trips", "x"]] {
            let outcome = try await cli.run(["record"] + command, in: store)
            #expect(outcome.code == 1 && outcome.isOneSentence && outcome.error.contains("trips/x"), "\(outcome)")
        }
        for command in [["get", "tripz", "x"], ["delete", "tripz", "x"], ["list", "tripz"]] {
            let outcome = try await cli.run(["record"] + command, in: store)
            #expect(outcome.code == 1 && outcome.isOneSentence, "\(outcome)")
            #expect(outcome.error.hasSuffix("; the store has no collection tripz, only trips\n"), "\(outcome)")
        }
    }

    @Test(
        "An invalid record is rejected and changes nothing",
        arguments: [
            (["trips", "kyoto", "[1]"], 65, "expected an object"), (["trips", "kyoto", "{"], 65, "not JSON"),
            (["trips", "kyoto", #"{"a":null}"#], 65, "a: null cannot be stored"),
            (["", "kyoto", "{}"], 65, "is empty"),
            (["users", "me", #"{"mailAddress":"x"}"#], 65, "is not a mail address"),
            (["users", "me", #"{"birthday":"2999-01-01"}"#], 65, "it is in the future"),
            (["users", "a\u{1}", "{}"], 65, "control characters"),
            (["weather", "130010", "{}"], 64, "use profile-cli forecast save"),
            (["imports", "a", "{}"], 64, "use profile-cli import"),
        ] as [([String], Int32, String)])
    func invalid(_ arguments: [String], _ code: Int32, _ message: String) async throws {
        let store = cli.store(.plist)
        let outcome = try await cli.run(["record", "set"] + arguments, in: store)
        #expect(outcome.code == code && outcome.output.isEmpty && outcome.error.contains(message), "\(outcome)")
        #expect(try cli.snapshot() == ["home": nil])
    }

    @Test("A record of users is a profile, and its other fields are kept", arguments: StoreKind.allCases)
    func userRecord(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("record", "set", "users", "vision", #"{"mailAddress":"a@example.com","x":1}"#, in: store)
        try await cli.run("set-birthday", "2011-08-01", "--user", "vision", in: store)
        let record = try await cli.run("record", "get", "users", "vision", in: store)
        #expect(
            record.lines == [
                #"{"birthday":"2011-08-01","mailAddress":"a@example.com","mailAddress-key":"a@example.com","x":1}"#
            ])
        let found = try await cli.run("list", "--where", "mail = a@example.com", "--explain", in: store)
        #expect(kind == .plist || found.output.contains("index"), "\(found)")
        #expect(try await cli.run("store", "check", in: store).code == 0)
    }

    @Test("Indexes of other programs are maintained and enforced", arguments: StoreKind.allCases)
    func indexes(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.using(kind) { raw in
            let schema = try Schema([.init("trips", indexes: [.unique("title")])])
            let trips = SchemaStore(raw, schema: schema)
            try await trips.write { transaction in
                try transaction.put(["title": .string("Kyoto")], for: Key(collection: "trips", id: "a"))
            }
        }
        let duplicate = try await cli.run("record", "set", "trips", "b", #"{"title":"Kyoto"}"#, in: store)
        #expect(duplicate.code == 65 && duplicate.isOneSentence, "\(duplicate)")
        #expect(try await cli.run("record", "set", "trips", "b", #"{"title":"Nara"}"#, in: store).code == 0)
        #expect(try await cli.run("record", "delete", "trips", "a", "--yes", in: store).code == 0)
        #expect(try await cli.run("record", "set", "trips", "c", #"{"title":"Kyoto"}"#, in: store).code == 0)
        let indexes = try await cli.run("store", "indexes", in: store)
        #expect(indexes.lines.contains { $0.hasPrefix("trips\ttitle\tunique\tready") }, "\(indexes)")
        #expect(try await cli.run("store", "check", in: store).code == 0)
    }

    @Test("record delete asks on a terminal")
    func question() async throws {
        let store = cli.store(.plist)
        try await cli.run("record", "set", "trips", "kyoto", "{}", in: store)
        for (answer, code) in [("n\r", 1 as Int32), ("y\r", 0)] {
            let terminal = try cli.terminal("record", "delete", "trips", "kyoto", in: store)
            try await terminal.wait(for: "delete the record trips/kyoto? [y/N] ")
            terminal.type(answer)
            #expect(try await terminal.end() == code)
            #expect(try await cli.run("record", "get", "trips", "kyoto", in: store).code == (code == 0 ? 1 : 0))
        }
    }

    // MARK: Settings

    @Test("Settings are saved, printed, listed and removed", arguments: StoreKind.allCases)
    func settings(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        let saved = try await cli.run("setting", "set", "theme", #""dark""#, in: store)
        #expect(saved.code == 0 && saved.output.isEmpty && saved.error.isEmpty)
        try await cli.run("setting", "set", "launches", "5", in: store)
        try await cli.run("setting", "set", "launches", "-", "--group", "other", in: store, input: "6\n")
        #expect(try await cli.run("setting", "get", "theme", in: store).lines == [#""dark""#])
        #expect(
            try await cli.run("setting", "list", in: store).lines == [
                #"{"name":"launches","value":5}"#, #"{"name":"theme","value":"dark"}"#,
            ])
        // A program reads the same record.
        let record = try await cli.using(kind) { raw in
            try await raw.read { try $0.record(for: Key(collection: "settings", id: "main")) }
        }
        #expect(record == ["theme": .string("dark"), "launches": .integer(5)])
        #expect(try await cli.run("setting", "reset", "theme", in: store).code == 0)
        let none = try await cli.run("setting", "get", "theme", in: store)
        #expect(none.code == 1 && none.isOneSentence)
        #expect(try await cli.run("setting", "reset", "theme", in: store).code == 1)
        #expect(try await cli.run("setting", "reset", "launches", in: store).code == 0)
        #expect(try await cli.run("setting", "list", in: store).lines.isEmpty)
        #expect(try await cli.run("setting", "list", "--group", "other", in: store).lines.count == 1)
    }

    @Test("An invalid setting is rejected", arguments: [["theme", "dark"], ["theme", "null"], ["", "1"]])
    func invalidSetting(_ arguments: [String]) async throws {
        let outcome = try await cli.run(["setting", "set"] + arguments, in: cli.store(.plist))
        #expect(outcome.code == 65 && outcome.isOneSentence, "\(outcome)")
        #expect(try cli.snapshot() == ["home": nil])
    }
}
