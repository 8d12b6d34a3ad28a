import Foundation
import Testing

@Suite struct BadInputTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    // MARK: Values

    /// A command with a value that is rejected, and words of the violated rule.
    struct BadValue: CustomTestStringConvertible {
        let arguments: [String]
        let rule: String
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: String..., rule: String) { (self.arguments, self.rule) = (arguments, rule) }
    }

    static let badValues = [
        BadValue("set-mail", "", rule: "empty"),
        BadValue("set-mail", "vision", rule: "an @ and a domain are missing"),
        BadValue("set-mail", "vision@@example.com", rule: "is not allowed in a domain"),
        BadValue("set-mail", " vision@example.com", rule: "white space"),
        BadValue("set-mail", "vision..x@example.com", rule: "two dots"),
        BadValue("set-mail", "vision@-example.com", rule: "begins with a hyphen"),
        BadValue("set-mail", "vision@[192.0.2.256]", rule: "IPv4"),
        BadValue("set-mail", String(repeating: "a", count: 65) + "@example.com", rule: "64"),
        BadValue("set-birthday", "2011-8-1", rule: "two digits"),
        BadValue("set-birthday", "2011-02-29", rule: "28 days"),
        BadValue("set-birthday", "2011-13-01", rule: "01 to 12"),
        BadValue("set-birthday", "0000-01-01", rule: "0001 to 9999"),
        BadValue("set-birthday", "２０１１-08-01", rule: "digits"),
        BadValue("set-birthday", "2011-08-01T00:00:00Z", rule: "nothing may follow the day"),
        BadValue("set-mail", "vision@example.com", "--user", "a\nb", rule: "control characters"),
        BadValue("show", "--user", String(repeating: "a", count: 201), rule: "200"),
        BadValue("forecast", "show", "13001", rule: "six digits"),
        BadValue("forecast", "delete", "１３００１０", rule: "ASCII digits"),
        BadValue("forecast", "save", "--city", "13001x", rule: "ASCII digits"),
    ]

    /// The value is rejected before the store is opened, so one kind of store is enough.
    @Test("An invalid value is rejected with its rule and creates no store", arguments: badValues)
    func badValue(_ value: BadValue) async throws {
        let outcome = try await cli.run(value.arguments, in: cli.store(.lmdb))
        #expect(outcome.code == 65 && outcome.isOneSentence)
        #expect(outcome.error.contains(value.rule), "\(outcome.error)")
        #expect(try cli.snapshot() == ["home": nil])
    }

    @Test("An invalid value creates nothing at the default location")
    func badValueInDefaultStore() async throws {
        #expect(try await cli.run("set-mail", "vision@").code == 65)
        #expect(try await cli.run("set-birthday", "yesterday").code == 65)
        #expect(try cli.snapshot() == ["home": nil])
    }

    @Test("A birthday in the future is rejected and the saved one is kept", arguments: StoreKind.allCases)
    func futureBirthday(_ kind: StoreKind) async throws {
        try await cli.run("set-birthday", "2011-08-01", in: cli.store(kind))
        let outcome = try await cli.run("set-birthday", "9999-12-31", in: cli.store(kind))
        #expect(outcome.code == 65 && outcome.isOneSentence && outcome.error.contains("in the future"))
        #expect(try await cli.run("get-birthday", in: cli.store(kind)).output == "2011-08-01\n")
    }

    @Test("A birthday in the future creates no store", arguments: StoreKind.allCases)
    func futureBirthdayWithoutStore(_ kind: StoreKind) async throws {
        #expect(try await cli.run("set-birthday", "9999-12-31", in: cli.store(kind)).code == 65)
        #expect(try cli.snapshot() == ["home": nil])
    }

    @Test(
        "An invalid location has the same exit code wherever it is found",
        arguments: [
            "redis:x", "lmdb:", "plist:", "x", "memory:x", ":x", "plist:a\r", "plist:a\u{85}", "\"plist:a\"",
            "plist:'a'", "lmdb:\"a\"",
        ])
    func invalidLocation(_ text: String) async throws {
        let store = cli.store(.plist)
        try await cli.run("set-mail", "vision@example.com", in: store)
        let file = try cli.write("{}", to: "home/.config/profile-cli/config.json")
        let files = try cli.snapshot()
        for arguments in [
            ["list", "--store", text], ["set-mail", "a@example.com", "--store", text],
            ["store", "copy", text, store.text], ["store", "copy", store.text, text],
            ["store", "salvage", text, "--store", store.text],
        ] {
            let outcome = try await cli.run(arguments)
            #expect(outcome.code == 65 && outcome.isOneSentence, "\(arguments): \(outcome)")
            #expect(try cli.snapshot() == files)
        }
        let variable = try await cli.run("set-mail", "a@example.com", with: ["PROFILE_STORE": text])
        #expect(variable.code == 65 && variable.isOneSentence && variable.error.contains("PROFILE_STORE"))
        #expect(try cli.snapshot() == files)
        try JSONEncoder().encode(["store": text]).write(to: file)
        let setting = try await cli.run("set-mail", "a@example.com")
        #expect(setting.code == 65 && setting.isOneSentence && setting.error.contains(file.path))
        #expect(!FileManager.default.fileExists(atPath: cli.url("home/.local").path))
    }

    @Test("A directory variable with a carriage return is rejected", arguments: ["XDG_DATA_HOME", "XDG_CONFIG_HOME"])
    func carriageReturn(_ name: String) async throws {
        let outcome = try await cli.run("set-mail", "a@example.com", with: [name: cli.url("data\r").path])
        #expect(outcome.code == 65 && outcome.isOneSentence && outcome.error.contains(name))
        #expect(try cli.snapshot() == ["home": nil])
    }

    @Test("U+FFFD is accepted in an argument and in a variable")
    func replacementCharacter() async throws {
        let store = cli.store(.plist)
        try await cli.run("import", in: store, input: #"{"id":"a\ufffd","mailAddress":"a@example.com"}"#)
        #expect(try await cli.run("get-mail", "--user", "a\u{FFFD}", in: store).lines == ["a@example.com"])
        let outcome = try await cli.run("get-mail", in: store, with: ["PROFILE_USER": "a\u{FFFD}"])
        #expect(outcome.lines == ["a@example.com"])
        let invalid = try await cli.shell(
            #"PROFILE_USER="$(printf 'a\377')" profile-cli get-mail --store "# + store.text)
        #expect(invalid.code == 65 && invalid.error.contains("PROFILE_USER is not valid UTF-8"))
    }

    @Test("An argument that is not UTF-8 is rejected")
    func invalidUTF8() async throws {
        let store = cli.store(.plist)
        // A lone 0xFF is not valid UTF-8. The value must be saved exactly as typed, so it is rejected.
        let outcome = try await cli.shell(
            #"profile-cli set-mail "$(printf 'a\377@example.com')" --store "# + store.text)
        #expect(outcome.code == 65)
        #expect(outcome.error.contains("is not valid UTF-8"))
        #expect(try cli.snapshot() == ["home": nil])
    }

    @Test("Control characters of an argument are not printed")
    func controlCharacters() async throws {
        let outcome = try await cli.run("set-mail", "\u{1B}[2J@example.com", in: cli.store(.plist))
        #expect(outcome.code == 65 && !outcome.error.contains("\u{1B}"))
    }

    // MARK: Usage

    @Test(
        "Invalid usage exits with 64",
        arguments: [
            ["set-mail"], ["set-birthday"], ["record", "set", "users"], ["forecast", "show"],
            ["set-mail", "a@example.com", "b"],
            ["list", "--colour"], ["list", "--format", "xml"], ["list", "--store"], ["unknown"],
            ["forecast", "unknown"],
            ["list", "--user", "me"], ["count", "--user", "me"], ["forecast", "list", "--user", "me"],
            ["forecast", "cities", "--store", "memory:"],
        ])
    func usage(_ arguments: [String]) async throws {
        let outcome = try await cli.run(arguments)
        #expect(outcome.code == 64 && outcome.output.isEmpty && outcome.error.hasPrefix("profile-cli: "))
        #expect(!outcome.error.contains("Error") && !outcome.error.contains("Usage"), "\(outcome.error)")
        #expect(try cli.snapshot() == ["home": nil])
    }

    @Test(
        "A usage error is one sentence and a reference to the help of the command",
        arguments: [
            (["list", "--colour"], "unknown option '--colour'", "list"),
            (["list", "--formt", "json"], "unknown option '--formt'; did you mean '--format'?", "list"),
            (
                ["get-mail", "--format", "xml"],
                "the value 'xml' is invalid for '--format <format>'; provide one of 'text' and 'json'", "get-mail"
            ),
            (["forecast", "show"], "missing expected argument '<city>'", "forecast show"),
            (["list", "--limit", "0"], "--limit must be 1 or more, not 0", "list"),
            (["forecast", "fetch"], "pass either cities or --all", "forecast fetch"),
            (
                ["forecast", "show", "130010", "--max-age", "1h", "--latitude", "1"],
                "--latitude and --longitude must be given together",
                "forecast show"
            ),
        ])
    func usageMessage(_ arguments: [String], _ message: String, _ command: String) async throws {
        let outcome = try await cli.run(arguments)
        #expect(outcome.code == 64 && outcome.output.isEmpty)
        #expect(outcome.error == "profile-cli: \(message)\nSee 'profile-cli \(command) --help'.\n")
    }

    @Test(
        "A message that quotes an argument is short and has no control characters",
        arguments: [
            ["list", "--a\u{1B}[2J\nb"], ["\u{1B}]0;x\u{7}"], ["list", "--format", "\u{1B}[31m"],
            ["list", String(repeating: "x", count: 50_000)],
            ["list", "--format", String(repeating: "\u{1B}", count: 50_000)],
            [String(repeating: "x", count: 50_000)],
        ])
    func quotedArgument(_ arguments: [String]) async throws {
        let outcome = try await cli.run(arguments)
        #expect(outcome.code == 64 && outcome.output.isEmpty && outcome.error.count < 4000)
        #expect(outcome.error.count { $0.isNewline } == 2 && !outcome.error.contains("\u{1B}"), "\(outcome.error)")
    }

    // MARK: Files

    @Test("A missing document exits with 66", arguments: ["missing.json", "missing/weather.json"])
    func missingDocument(_ name: String) async throws {
        let path = cli.url(name).path
        let outcome = try await cli.run("forecast", "save", path, "--city", "130010", in: cli.store(.lmdb))
        #expect(outcome.code == 66 && outcome.output.isEmpty && outcome.error.contains(path))
        #expect(try cli.snapshot() == ["home": nil])
    }

    @Test("A directory instead of a document exits with 66")
    func directoryAsDocument() async throws {
        let path = cli.home.path
        let outcome = try await cli.run("forecast", "save", path, "--city", "130010", in: cli.store(.lmdb))
        #expect(outcome.code == 66 && outcome.output.isEmpty && outcome.error.contains(path))
    }

    @Test(
        "A document without read permission exits with 77",
        .disabled(if: geteuid() == 0, "the superuser has all permissions"))
    func forbiddenDocument() async throws {
        let file = try cli.write(ServiceDocuments.livedoor, to: "weather.json")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
        let outcome = try await cli.run("forecast", "save", file.path, "--city", "130010", in: cli.store(.lmdb))
        #expect(outcome.code == 77 && outcome.output.isEmpty && outcome.error.contains(file.path))
    }

    @Test(
        "A store in a directory without write permission exits with 77",
        .disabled(if: geteuid() == 0, "the superuser has all permissions"), arguments: StoreKind.allCases)
    func forbiddenStore(_ kind: StoreKind) async throws {
        let directory = cli.url("closed")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o500])
        let outcome = try await cli.run("set-mail", "vision@example.com", in: cli.store(kind, "closed/store"))
        #expect(outcome.code == 77 && outcome.output.isEmpty)
    }
}
