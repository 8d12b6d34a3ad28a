import DataStoreCore
import Foundation
import Subprocess
import DataStoreCore
import Foundation
import Testing

@Suite struct UserCommandTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    // MARK: Saving and reading

    @Test("get-mail prints only the mail address", arguments: StoreKind.allCases)
    func mailAddress(_ kind: StoreKind) async throws {
        let saved = try await cli.run("set-mail", "Vision@例え.example", in: cli.store(kind))
        #expect(saved.code == 0 && saved.output.isEmpty && saved.error.isEmpty)
        let read = try await cli.run("get-mail", in: cli.store(kind))
        #expect(read.code == 0 && read.output == "Vision@例え.example\n" && read.error.isEmpty)
    }

    @Test("get-birthday prints only the birthday", arguments: StoreKind.allCases)
    func birthday(_ kind: StoreKind) async throws {
        let saved = try await cli.run("set-birthday", "2004-02-29", in: cli.store(kind))
        #expect(saved.code == 0 && saved.output.isEmpty && saved.error.isEmpty)
        let read = try await cli.run("get-birthday", in: cli.store(kind))
        #expect(read.code == 0 && read.output == "2004-02-29\n" && read.error.isEmpty)
    }

    @Test("Saving one field keeps the other", arguments: StoreKind.allCases)
    func oneField(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("set-mail", "old@example.com", in: store)
        try await cli.run("set-birthday", "2011-08-01", in: store)
        try await cli.run("set-mail", "new@example.com", in: store)
        #expect(try await cli.run("get-birthday", in: store).output == "2011-08-01\n")
        try await cli.run("set-birthday", "1999-12-31", in: store)
        #expect(try await cli.run("get-mail", in: store).output == "new@example.com\n")
    }

    @Test("The memory store accepts a save and loses it with the process")
    func memory() async throws {
        let saved = try await cli.run("set-mail", "vision@example.com", in: .memory)
        #expect(saved.code == 0 && saved.output.isEmpty)
        #expect(saved.error == "profile-cli: memory: is not persistent; the change is lost when this command exits\n")
        let read = try await cli.run("get-mail", in: .memory)
        #expect(read.code == 1 && read.error == "profile-cli: no mail address is saved for me\n")
        #expect(try cli.snapshot() == ["home": nil])
    }

    // MARK: Missing values

    @Test(
        "A user who was never saved exits with 1", arguments: StoreKind.allCases,
        ["get-mail", "get-birthday", "show", "delete", "clear-mail"])
    func unknownUser(_ kind: StoreKind, _ command: String) async throws {
        try await cli.run("set-birthday", "2011-08-01", in: cli.store(kind))
        let outcome = try await cli.run(command, "--user", "nobody", in: cli.store(kind))
        #expect(outcome.code == 1 && outcome.isOneSentence && outcome.error.contains("nobody"))
    }

    @Test("A user without a mail address makes get-mail exit with 1", arguments: StoreKind.allCases)
    func missingMailAddress(_ kind: StoreKind) async throws {
        try await cli.run("set-birthday", "2011-08-01", in: cli.store(kind))
        let outcome = try await cli.run("get-mail", in: cli.store(kind))
        #expect(outcome.code == 1 && outcome.isOneSentence)
        #expect(try await cli.run("show", in: cli.store(kind)).code == 0)
    }

    @Test(
        "A missing store is an error of every command that reads", arguments: StoreKind.allCases,
        [
            "get-mail", "get-birthday", "show", "delete --yes", "delete --where mail=a@b.c --yes", "clear-mail",
            "clear-birthday", "list", "list --explain", "count", "export", "export out.csv", "birthdays", "watch",
            "watch --where id=a", "forecast show 130010", "forecast list", "forecast watch", "forecast delete 130010",
            "record get a b", "record list a", "record delete a b --yes", "setting get a", "setting list",
            "setting reset a", "store info", "store check", "store check --rebuild-indexes", "store backup copy",
        ])
    func missingStore(_ kind: StoreKind, _ words: String) async throws {
        let outcome = try await cli.run(words.split(separator: " ").map(String.init), in: cli.store(kind))
        #expect(outcome.code == 66 && outcome.isOneSentence, "\(outcome)")
        #expect(outcome.error.contains("could not open the store at \(cli.store(kind).text)"))
        #expect(try cli.snapshot() == ["home": nil])
    }

    @Test("A command that saves creates the last directory of the path only", arguments: StoreKind.allCases)
    func misspelledPath(_ kind: StoreKind) async throws {
        try await cli.run("set-mail", "vision@example.com", in: cli.store(kind))
        let deep = cli.store(kind, kind == .lmdb ? "typo/store" : "typo/deep/store").text
        let files = try cli.snapshot()
        for arguments in [
            ["set-mail", "a@example.com", "--store", deep], ["import", "--store", deep],
            ["record", "set", "a", "b", "{}", "--store", deep], ["store", "copy", cli.store(kind).text, deep],
            ["store", "backup", String(deep.dropFirst("lmdb:".count)), "--store", cli.store(kind).text],
        ] {
            let outcome = try await cli.run(arguments, input: Array(#"{"id":"a"}"#.utf8))
            #expect(outcome.code == 73 && outcome.isOneSentence, "\(arguments): \(outcome)")
            #expect(outcome.error.contains("typo") && outcome.error.contains("create it first"))
            #expect(try cli.snapshot() == files)
        }
        let near = cli.store(kind, kind == .lmdb ? "near" : "near/store")
        #expect(try await cli.run("set-mail", "a@example.com", in: near).code == 0)
    }

    @Test(
        "The default store of a user who never saved is empty",
        arguments: [
            ("get-mail", 1), ("get-birthday", 1), ("show", 1), ("delete", 1), ("clear-mail", 1),
            ("forecast show 130010", 1),
            ("forecast delete 130010", 1), ("record get a b", 1), ("record delete a b", 1), ("record list a", 1),
            ("setting get a", 1), ("setting reset a", 1), ("setting list", 0), ("list", 0), ("export", 0),
            ("birthdays", 0), ("forecast list", 0),
        ] as [(String, Int32)])
    func missingDefaultStore(_ words: String, _ code: Int32) async throws {
        let outcome = try await cli.run(words.split(separator: " ").map(String.init))
        #expect(outcome.code == code && outcome.output.isEmpty && outcome.isOneSentence)
        #expect(outcome.error.hasSuffix("no store exists at lmdb:\(cli.home.path)/.local/share/profile-cli\n"))
        #expect(try cli.snapshot() == ["home": nil])
    }

    @Test("A list of no users is empty", arguments: StoreKind.allCases)
    func emptyList(_ kind: StoreKind) async throws {
        try await cli.run("set-mail", "vision@example.com", in: cli.store(kind))
        try await cli.run("delete", "--yes", in: cli.store(kind))
        for format in ["text", "json"] {
            let outcome = try await cli.run("list", "--format", format, in: cli.store(kind))
            #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.error.isEmpty)
        }
    }

    // MARK: Show, list, delete

    @Test("show prints a line for each field")
    func show() async throws {
        try await cli.run("set-mail", "vision@example.com", in: cli.store(.plist))
        let some = try await cli.run("show", in: cli.store(.plist))
        #expect(some.lines == ["user\tme", "mail address\tvision@example.com", "birthday\tnone"])
        try await cli.run("set-birthday", "2011-08-01", in: cli.store(.plist))
        let all = try await cli.run("show", in: cli.store(.plist))
        #expect(all.lines.last == "birthday\t2011-08-01")
    }

    @Test("A mail address that changes the text direction is printed safely on a terminal")
    func textDirection() async throws {
        let address = "a\u{202E}\u{200F}b@example.com"
        try await cli.run("set-mail", address, in: cli.store(.plist))
        #expect(try await cli.run("get-mail", in: cli.store(.plist)).lines == [address])
        let shown = try await cli.runInTerminal("get-mail", in: cli.store(.plist))
        #expect(shown.lines == ["a\u{FFFD}\u{FFFD}b@example.com"])
        let json = try await cli.runInTerminal("get-mail", "--format", "json", in: cli.store(.plist))
        #expect(json.lines == [#"{"mailAddress":"a\u202e\u200fb@example.com"}"#])
        #expect(try json.document() == ["mailAddress": address])
    }

    @Test("JSON has escape sequences for characters that are invisible or control a terminal")
    func safeJSON() async throws {
        let store = cli.store(.plist)
        let unsafe = "\u{9B}\u{7F}\u{202E}\u{2028}\u{200B}\u{FEFF}\u{E0041}"
        let escaped = #"\u009b\u007f\u202e\u2028\u200b\ufeff\udb40\udc41"#
        // Emoji and scripts need joiners and variation selectors.
        let safe = "\u{200C}👩\u{200D}💻❤\u{FE0F}葛\u{E0100}"
        try await cli.using(.plist) { store in
            try await store.write { transaction in
                try transaction.put(["text": .string(unsafe + safe)], for: Key(collection: "notes", id: "1"))
                try transaction.put(
                    ["mailAddress": .string("a\u{202E}\u{200B}\u{FEFF}\u{E0041}b@example.com")],
                    for: Key(collection: "users", id: "me"))
            }
        }
        let record = try await cli.run("record", "get", "notes", "1", in: store)
        #expect(record.lines == [#"{"text":"\#(escaped)\#(safe)"}"#])
        #expect(try record.document() == ["text": unsafe + safe])
        for arguments in [["list", "--format", "json"], ["export"], ["get-mail", "--format", "json"]] {
            let outcome = try await cli.run(arguments, in: store)
            #expect(outcome.output.contains(#":"a\u202e\u200b\ufeff\udb40\udc41b@example.com""#), "\(outcome)")
        }
        let csv = try await cli.runInTerminal("export", "--format", "csv", in: store)
        #expect(csv.lines.contains("me,a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}b@example.com,"), "\(csv)")
        let text = try await cli.run("list", in: store)
        #expect(text.lines == ["me\ta\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}b@example.com\t"])
        let error = try await cli.run("record", "get", "a\u{200B}", "\u{FEFF}\u{E0041}", in: store)
        #expect(error.code == 1 && error.error.contains("a\u{FFFD}/\u{FFFD}\u{FFFD}"), "\(error)")
    }

    @Test("show prints the age on a terminal")
    func age() async throws {
        try await cli.run("set-birthday", "2011-08-01", in: cli.store(.plist))
        let outcome = try await cli.runInTerminal("show", in: cli.store(.plist))
        #expect(outcome.lines.first == "user          me")
        #expect(try #require(outcome.lines.last).contains(/^birthday      2011-08-01 \(\d+ years old/))
    }

    @Test("A list on a terminal has a header and aligned columns")
    func header() async throws {
        let store = cli.store(.plist)
        #expect(try await cli.runInTerminal("list", in: store).lines.count == 1, "the missing store is mentioned")
        try await cli.run("set-mail", "vision@example.com", "--user", "天気", in: store)
        try await cli.run("set-birthday", "2011-08-01", "--user", "b", in: store)
        let outcome = try await cli.runInTerminal("list", in: store)
        #expect(
            outcome.lines == [
                "id    mail                birthday", "b                         2011-08-01", "天気  vision@example.com",
            ])
    }

    @Test(
        "A new id that looks like another one is rejected, but an existing user with it is shown and deleted",
        arguments: StoreKind.allCases, [" bob ", "bo\u{200B}b", "\u{A0}bob", "\u{FEFF}bob", "bo\u{202E}b"])
    func lookalikeID(_ kind: StoreKind, _ id: String) async throws {
        let store = cli.store(kind)
        let file = try cli.write(#"{"id":"\#(id)","birthday":"2011-08-01"}"#, to: "users.jsonl")
        for command in [["set-mail", "b@example.com"], ["set-birthday", "2011-08-01"], ["import", file.path]] {
            let user = command[0] == "import" ? [] : ["--user", id]
            let rejected = try await cli.run(command + user, in: store)
            #expect(rejected.code == 65 && rejected.error.contains("is not a user id: "), "\(rejected)")
        }
        #expect(try await cli.run("list", in: store).output.isEmpty)

        try await cli.using(kind) { store in
            let key = try Key(collection: "users", id: id)
            try await store.write { try $0.put(["mailAddress": .string("b@example.com")], for: key) }
        }
        #expect(try await cli.run("get-mail", "--user", id, in: store).lines == ["b@example.com"])
        #expect(try await cli.run("list", "--format", "json", in: store).document(UserDocument.self).id == id)
        #expect(try await cli.run("count", "--where", "id = '\(id)'", in: store).lines == ["1"])
        #expect(try await cli.run("clear-mail", "--user", id, in: store).code == 0)
        #expect(try await cli.run("delete", "--yes", "--user", id, in: store).code == 0)
        #expect(try await cli.run("list", in: store).output.isEmpty)
    }

    @Test("Clearing one field keeps the other and the user", arguments: StoreKind.allCases)
    func clear(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("set-mail", "vision@example.com", in: store)
        try await cli.run("set-birthday", "2011-08-01", in: store)
        let cleared = try await cli.run("clear-mail", in: store)
        #expect(cleared.code == 0 && cleared.output.isEmpty && cleared.error.isEmpty)
        #expect(try await cli.run("list", in: store).lines == ["me\t\t2011-08-01"])
        let again = try await cli.run("clear-mail", in: store)
        #expect(again.code == 1 && again.isOneSentence)
        #expect(try await cli.run("clear-birthday", in: store).code == 0)
        #expect(try await cli.run("list", in: store).lines == ["me\t\t"])
        #expect(try await cli.run("clear-birthday", "--user", "other", in: store).code == 1)
        #expect(try await cli.run("list", in: store).lines.count == 1, "no user is created")
    }

    @Test("An address that begins with a hyphen needs -- before it")
    func hyphen() async throws {
        let store = cli.store(.plist)
        let rejected = try await cli.run("set-mail", "-x@y.z", in: store)
        #expect(rejected.code == 64 && rejected.output.isEmpty)
        #expect(
            rejected.error == """
                profile-cli: '-x@y.z' looks like an option; write -- before it: -- -x@y.z
                See 'profile-cli set-mail --help'.

                """)
        // The value of an option is not an address.
        let other = try await cli.run("set-mail", "--user=x@y.z", in: store)
        #expect(other.code == 64 && other.error.contains("missing expected argument"))
        #expect(try await cli.run("set-mail", "--store", store.text, "--", "-x@y.z").code == 0)
        #expect(try await cli.run("get-mail", in: store).lines == ["-x@y.z"])
    }

    @Test("An option of one command before this command is rejected with its right position")
    func optionBeforeCommand() async throws {
        let rejected = try await cli.run("--limit", "1", "list")
        #expect(rejected.code == 64 && rejected.error.contains("; write the options of a command after it"))
        let unknown = try await cli.run("get-mail", "--colour", in: cli.store(.plist))
        #expect(!unknown.error.contains("after it"))
    }

    @Test("Users are sorted by the bytes of their ids", arguments: StoreKind.allCases)
    func order(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        // In the order of a language, a would precede Z, and the precomposed é would precede the decomposed one.
        for user in ["b", "é", "Z", "a", "e\u{301}", "aa", "10", "9"] {
            try await cli.run("set-mail", "\(user.utf8.count)@example.com", "--user", user, in: store)
        }
        try await cli.run("set-birthday", "2011-08-01", "--user", "Z", in: store)
        let outcome = try await cli.run("list", in: store)
        #expect(outcome.error.isEmpty)
        let ids = ["10", "9", "Z", "a", "aa", "b", "e\u{301}", "é"]
        #expect(
            outcome.lines.map { Array($0.utf8) }
                == ids.map { id in
                    Array("\(id)\t\(id.utf8.count)@example.com\t\(id == "Z" ? "2011-08-01" : "")".utf8)
                })
    }

    @Test("Deleting a user leaves the others", arguments: StoreKind.allCases)
    func deletion(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        for user in ["me", "vision"] {
            try await cli.run("set-mail", "\(user)@example.com", "--user", user, in: store)
            try await cli.run("set-birthday", "2011-08-01", "--user", user, in: store)
        }
        let deleted = try await cli.run("delete", "--yes", "--user", "vision", in: store)
        #expect(deleted.code == 0 && deleted.output.isEmpty && deleted.error.isEmpty)
        #expect(try await cli.run("get-mail", "--user", "vision", in: store).code == 1)
        #expect(try await cli.run("get-birthday", "--user", "vision", in: store).code == 1)
        #expect(try await cli.run("list", in: store).lines == ["me\tme@example.com\t2011-08-01"])
    }

    // MARK: Formats and streams

    @Test("JSON output has the saved values", arguments: StoreKind.allCases)
    func json(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        let address = #""a\\b"@example.com"#
        try await cli.run("set-mail", address, "--user", "天気", in: store)
        try await cli.run("set-birthday", "2011-08-01", "--user", "vision", in: store)
        let mail = try await cli.run("get-mail", "--user", "天気", "--format", "json", in: store)
        #expect(try mail.document() == ["mailAddress": address])
        let birthday = try await cli.run("get-birthday", "--user", "vision", "--format", "json", in: store)
        #expect(try birthday.document() == ["birthday": "2011-08-01"])
        let shown = try await cli.run("show", "--user", "vision", "--format", "json", in: store)
        #expect(try shown.document() == UserDocument(id: "vision", birthday: "2011-08-01"))
        let list = try await cli.run("list", "--format", "json", in: store)
        #expect(
            try list.documents() == [
                UserDocument(id: "vision", birthday: "2011-08-01"), UserDocument(id: "天気", mailAddress: address),
            ])
    }

    @Test("list, show, watch and export print the same JSON", arguments: StoreKind.allCases)
    func oneShape(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("set-birthday", "2011-08-01", "--user", "a", in: store)
        try await cli.run("set-mail", #""/\\"@example.com"#, "--user", "a", in: store)
        let line = #"{"id":"a","mailAddress":"\"/\\\\\"@example.com","birthday":"2011-08-01"}"#
        for command in [
            ["list", "--format", "json"], ["show", "--user", "a", "--format", "json"], ["export"],
            ["delete", "--where", "id = a", "--dry-run", "--format", "json"],
        ] {
            #expect(try await cli.run(command, in: store).lines == [line], "\(command)")
        }
        let code = try await cli.watch("watch", "--user", "a", "--json", in: store) { watch in
            #expect(try await watch.line() == line)
            try watch.send(.interrupt)
        }
        #expect(code == 130)
    }

    @Test("Verbose notes go to standard error", arguments: StoreKind.allCases)
    func verbose(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        let saved = try await cli.run("set-mail", "vision@example.com", "--verbose", in: store)
        #expect(saved.output.isEmpty && saved.error.contains(store.text))
        let read = try await cli.run("get-mail", "--verbose", in: store)
        #expect(read.code == 0 && read.output == "vision@example.com\n" && read.error.contains(store.text))
        let none = try await cli.run("get-birthday", "--verbose", in: store)
        #expect(none.code == 1 && none.output.isEmpty)
    }

    @Test("A result that cannot be written is a failure", .enabled(if: hasFullDevice)) func fullOutput()
        async throws
    {
        try await cli.run("set-mail", "vision@example.com", in: cli.store(.plist))
        let outcome = try await cli.shell("profile-cli get-mail --store \(cli.store(.plist).text) >/dev/full")
        #expect(outcome.code == 74 && !outcome.error.isEmpty)
    }

    @Test("A message that cannot be written causes no crash", arguments: ["2>&-", "2>/dev/full"]) func closedError(
        _ redirection: String
    )
        async throws
    {
        let outcome = try await cli.shell("profile-cli get-mail --store \(cli.store(.plist).text) \(redirection)")
        #expect(outcome.code == 66)
    }
}
