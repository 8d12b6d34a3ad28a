import Foundation
import Testing

/// Tests of statements in help texts and guides that were once false.
@Suite struct StatementTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    @Test(
        "The help of list says which conditions use no index",
        arguments: [
            ("mail = a@b.c", true), ("birthday < 2000-01-01", true), ("day between 01-01 and 02-01", true),
            ("mail begins a", true), ("mail != a@b.c", false), ("mail contains a", false),
            ("mail begins a ignoring case", false),
        ])
    func indexes(_ condition: String, _ usesIndex: Bool) async throws {
        let store = cli.store(.lmdb)
        try await cli.run("set-mail", "vision@example.com", in: store)
        let outcome = try await cli.run("list", "--explain", "--where", condition, in: store)
        #expect(outcome.output.contains("with the index") == usesIndex, "\(outcome)")
        #expect(!outcome.output.contains("entit"), "an explanation speaks of users: \(outcome)")
    }

    @Test("An LMDB store can be created beside other files, which it keeps")
    func foreignFile() async throws {
        try cli.write("mine", to: "store/notes.txt")
        #expect(try await cli.run("set-mail", "a@example.com", in: cli.store(.lmdb)).code == 0)
        #expect(try String(contentsOf: cli.url("store/notes.txt"), encoding: .utf8) == "mine")
        try cli.write("mine", to: "other/data.mdb")
        #expect(try await cli.run("set-mail", "a@example.com", in: cli.store(.lmdb, "other")).code == 73)
        #expect(try String(contentsOf: cli.url("other/data.mdb"), encoding: .utf8) == "mine")
    }

    @Test("record and setting accept both formats, and print JSON")
    func recordFormats() async throws {
        let store = cli.store(.plist)
        try await cli.run("record", "set", "trips", "kyoto", "{\"days\":3}", in: store)
        try await cli.run("setting", "set", "theme", "\"dark\"", in: store)
        for options in [[], ["--format", "json"], ["--json"], ["--format", "text"]] {
            #expect(
                try await cli.run(["record", "get", "trips", "kyoto"] + options, in: store).lines == ["{\"days\":3}"])
            #expect(try await cli.run(["setting", "get", "theme"] + options, in: store).lines == ["\"dark\""])
        }
    }

    @Test("store migrate --dry-run lists migrations without changing the store")
    func listedMigrations() async throws {
        let store = cli.store(.plist)
        try await cli.run("set-mail", "a@example.com", in: store)
        let files = try cli.snapshot()
        #expect(try await cli.run("store", "migrate", "--dry-run", in: store).code == 0)
        #expect(try cli.snapshot() == files)
    }

    @Test("Every exit code of the guide is in the help")
    func exitCodes() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
        let guide = try String(
            contentsOf: root.appending(path: "Sources/UserProfileKit/UserProfileKit.docc/CommandLine.md"),
            encoding: .utf8)
        let help = try await cli.run("--help").output
        let rows = guide.split(separator: "### Exit codes").last?.split(separator: "\n") ?? []
        let codes = rows.compactMap { $0.firstMatch(of: #/^\| ([0-9, ]+) \|/#)?.1 }
        #expect(codes.count > 12)
        for code in codes.flatMap({ $0.split(separator: ", ") }) {
            #expect(help.contains(try Regex("\\n  ([0-9]+, )?\(code)[ ,]")), "\(code)")
        }
    }

    @Test("A query with a limit reads no more than it needs, and the explanation says so")
    func limitedExplanation() async throws {
        let store = cli.store(.lmdb)
        try await cli.run("import", "-q", in: store, input: "{\"id\":\"a\"}\n{\"id\":\"b\"}\n{\"id\":\"c\"}\n")
        let outcome = try await cli.run("list", "--explain", "--limit", "1", in: store)
        #expect(outcome.lines.first == "found 1 without an index: read 1 user")
    }

    @Test("store check leaves every record, index and file as it was")
    func check() async throws {
        let store = cli.store(.plist)
        try await cli.run("set-mail", "a@example.com", in: store)
        let files = try cli.snapshot()
        #expect(try await cli.run("store", "check", "-q", in: store).code == 0)
        #expect(try cli.snapshot() == files)
        #expect(try await cli.run("store", "check", "--help").output.contains("permission to write to lock.mdb"))
    }

    @Test(
        "The guides agree on versions, platforms and targets",
        arguments: [
            ("README.md", "You need Swift 6.3", true), ("README.md", "but not tested", true),
            ("README.md", "on devices", false), ("Makefile", "Build and run the tests that need no PostgreSQL", true),
            ("GettingStarted.md", "You need Swift 6.3", true), ("GettingStarted.md", "Swift 6.2", false),
            ("Studio.md", "Without `--write`, the studio changes nothing", true),
            ("SECURITY.md", "leaves the other files alone", true),
        ])
    func documents(_ path: String, _ text: String, _ isExpected: Bool) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
        let guide = root.appending(path: "Sources/UserProfileKit/UserProfileKit.docc").appending(path: path)
        let file = FileManager.default.fileExists(atPath: guide.path) ? guide : root.appending(path: path)
        let document = try String(contentsOf: file, encoding: .utf8)
        #expect(document.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(text) == isExpected)
    }

    @Test("With memory:, a command that saves warns that the change is lost")
    func memory() async throws {
        let outcome = try await cli.run("set-mail", "a@example.com", "--quiet", in: .memory)
        #expect(outcome.code == 0 && outcome.error.contains("not persistent"))
    }

    @Test("A value that is not saved is reported in one sentence")
    func missingValue() async throws {
        try await cli.run("set-birthday", "2011-08-01", in: cli.store(.plist))
        for command in ["get-mail", "clear-mail"] {
            let outcome = try await cli.run(command, in: cli.store(.plist))
            #expect(outcome.code == 1 && outcome.isOneSentence, "\(outcome)")
        }
    }
}
