import Foundation
import Testing

/// Tests of the options that every command has, and of help.
@Suite struct OutputOptionTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    private struct Failure: Decodable {
        let error: String
        let exitCode: Int32
    }

    @Test(
        "With --json, an error is one JSON object on standard error",
        arguments: [
            (["get-mail", "--json", "--store", "plist:nothing"], 66), (["set-mail", "x", "--json"], 65),
            (["list", "--format", "json", "--where", "mail ="], 64), (["list", "--json", "--limit", "0"], 64),
            (["--json", "lisst"], 64), (["show", "-f", "json"], 1), (["list", "--format=json", "--colour"], 64),
        ] as [([String], Int32)])
    func jsonError(_ arguments: [String], _ code: Int32) async throws {
        let outcome = try await cli.run(arguments)
        #expect(outcome.code == code && outcome.output.isEmpty, "\(outcome)")
        let failure = try JSONDecoder().decode(Failure.self, from: Data(outcome.error.utf8))
        #expect(failure.exitCode == code && !failure.error.isEmpty && !failure.error.hasPrefix("profile-cli"))
        #expect(outcome.error.count { $0.isNewline } == 1)
    }

    @Test("With --json, each command that changes something prints what it did")
    func jsonResults() async throws {
        let store = cli.store(.lmdb)
        let imported = try await cli.run("import", "--json", in: store, input: "{\"id\":\"a\"}\n{\"id\":\"b\"}\n")
        #expect(imported.lines == [#"{"importedCount":2,"skippedCount":0}"#] && imported.error.isEmpty)
        for (arguments, beginning) in [
            (["store", "backup", "b"], #"{"backup":"b","fileByteCount":"#),
            (["store", "compact"], #"{"fileByteCount":"#),
            (["export", "users"], #"{"exportedCount":2,"file":"users"}"#),
            (["store", "restore", "b", "--yes"], #"{"recordCount":2,"replacedFile":""#),
            (["delete", "--where", "id = a", "--yes"], #"{"deletedCount":1}"#),
            (["record", "get", "users", "b"], "{}"), (["store", "check"], #"{"findings":[],"isClean":true"#),
        ] {
            let outcome = try await cli.run(["--json"] + arguments, in: store)
            #expect(outcome.code == 0 && outcome.error.isEmpty && outcome.lines.count == 1, "\(outcome)")
            #expect(outcome.output.hasPrefix(beginning), "\(outcome)")
        }
    }

    @Test("With --quiet, only results and errors are printed")
    func quiet() async throws {
        let store = cli.store(.lmdb)
        for arguments in [["import", "-q"], ["--quiet", "store", "check"], ["store", "backup", "b", "-q"]] {
            let outcome = try await cli.run(arguments, in: store, input: Array("{\"id\":\"a\"}\n".utf8))
            #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.error.isEmpty, "\(outcome)")
        }
        #expect(try await cli.run("list", "-q", in: store).lines == ["a\t\t"])
        #expect(try await cli.run("get-mail", "--quiet", in: store).isOneSentence)
        #expect(try await cli.run("list", "-q", "-v", in: store).code == 64)
    }

    @Test("--no-color turns off the color of errors on a terminal")
    func noColor() async throws {
        let terminal = try cli.terminal("get-mail", "--no-color", in: cli.store(.lmdb))
        _ = try await terminal.end()
        #expect(terminal.output.contains("profile-cli: ") && !terminal.output.contains("\u{1B}"))
    }

    @Test("Common options may precede the command, also in their short forms")
    func optionsFirst() async throws {
        let store = cli.store(.plist).text
        #expect(try await cli.run("-s", store, "-u", "vision", "set-mail", "vision@example.com").code == 0)
        #expect(try await cli.run("--store=\(store)", "--user", "vision", "get-mail").lines == ["vision@example.com"])
        let listed = try await cli.run("--json", "list", "-s", store, "-w", "mail exists", "-l", "1")
        #expect(try listed.document(UserDocument.self).id == "vision")
        #expect(try await cli.run("--store", store, "store", "--verbose", "check").code == 0)
        #expect(try await cli.run("--limit", "1", "list").code == 64)
    }

    @Test("Options that a command would ignore are rejected")
    func ignoredOptions() async throws {
        for arguments in [
            ["list", "--user", "x"], ["count", "--sort", "mail"], ["forecast", "show", "130010", "--url", "http://x"],
            ["forecast", "show", "130010", "--latitude", "1", "--longitude", "2"], ["export", "--replace"],
            ["store", "migrate", "--dry-run", "--backup", "x"],
            ["store", "copy", "plist:a", "plist:b", "--store", "x"],
        ] {
            #expect(try await cli.run(arguments).code == 64, "\(arguments)")
        }
        #expect(try await cli.run("list", "--user", "x").error.contains("'list' does not use --user\n"))
    }

    // MARK: Help

    @Test("The program alone prints a short screen")
    func welcome() async throws {
        let outcome = try await cli.run()
        #expect(outcome.code == 0 && outcome.error.isEmpty && outcome.lines.count < 12, "\(outcome)")
        let examples = outcome.lines.filter { $0.hasPrefix("  profile-cli ") }
        #expect(examples.count == 5 && outcome.output.contains("--help") && outcome.output.contains("guide"))
        #expect(outcome.lines.allSatisfy { $0.count <= 110 })
    }

    @Test("-h begins with the usage and is short; --help has the details", arguments: [["list"], ["store"], []])
    func shortHelp(_ command: [String]) async throws {
        let short = try await cli.run(command + ["-h"])
        let long = try await cli.run(command + ["--help"])
        #expect(short.code == 0 && short.lines[0].hasPrefix("USAGE: profile-cli"), "\(short)")
        #expect(short.lines.count < long.lines.count && !short.output.contains("EXAMPLE"))
        #expect(short.output.contains("--help"))
        #expect(long.lines[0].hasPrefix("OVERVIEW: ") && long.output.contains("EXAMPLE"))
        #expect(try await cli.run(["help"] + command).output == long.output)
    }

    @Test("Each table has a header on a terminal, and fits it")
    func headers() async throws {
        let store = cli.store(.lmdb)
        try await cli.run("import", in: store, input: "{\"id\":\"a\",\"birthday\":\"2000-02-29\"}")
        for (words, header) in [
            ("list", ["id", "mail", "birthday"]), ("birthdays --within 366", ["date", "age", "id", "mail"]),
            ("store indexes", ["collection", "index", "unique", "state", "entries"]),
            ("config", ["name", "value", "origin"]),
        ] {
            let arguments = words.split(separator: " ").map(String.init)
            let terminal = try cli.terminal(arguments, in: store, columns: 50)
            #expect(try await terminal.end() == 0)
            let lines = terminal.output.split(whereSeparator: \.isNewline).filter { !$0.contains("\u{1B}") }
            #expect(lines.first?.split(separator: " ").map(String.init) == header, "\(terminal.output)")
            let wideLines = lines.filter { $0.count > 50 }
            #expect(wideLines.isEmpty, "\(terminal.output)")
        }
    }
}
