import Foundation
import Testing

/// Tests of `import` and `export`. Exported data are imported unchanged, and errors are reported with line numbers.
@Suite struct TransferTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    private static let text = """
        {"id":"a,b \\"c\\"","mailAddress":"\\"x y\\"@example.com"}
        {"id":"me","birthday":"2011-08-01"}
        {"id":"né","mailAddress":"né@例え.jp","birthday":"1904-02-29"}
        {"id":"天気 😀"}

        """

    @Test("An imported export is an equal store", arguments: [(StoreKind.lmdb, "users 1.csv"), (.plist, "новый\n😀")])
    func roundTrip(_ kind: StoreKind, _ name: String) async throws {
        let (first, second) = (cli.store(kind, "a"), cli.store(kind == .lmdb ? .plist : .lmdb, "b c"))
        let imported = try await cli.run("import", "-", in: first, input: Self.text)
        #expect(imported.code == 0 && imported.output.isEmpty, "\(imported)")
        #expect(try await cli.run("export", in: first).output == Self.text)
        let exported = try await cli.run("export", name, in: first)
        #expect(exported.code == 0 && exported.output.isEmpty, "\(exported)")
        let attributes = try FileManager.default.attributesOfItem(atPath: cli.url(name).path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try String(contentsOf: cli.url(name), encoding: .utf8).hasPrefix("id,") == name.hasSuffix("csv"))
        #expect(try await cli.run("import", name, in: second).code == 0)
        // Also in another language and character set.
        for language in ["C", "ja_JP.UTF-8"] {
            let again = try await cli.run("export", "--format", "jsonl", in: second, with: ["LC_ALL": language])
            #expect(again.code == 0 && again.output == Self.text)
        }
    }

    @Test("An import replaces existing users")
    func replacedUsers() async throws {
        let store = cli.store(.plist)
        try await cli.run("import", in: store, input: Self.text)
        let csv = "birthday,id\n,me\n2000-01-01,x\n2001-01-01,x\n"
        #expect(try await cli.run("import", "--format", "csv", in: store, input: csv).code == 0)
        #expect(try await cli.run("show", "--format", "json", in: store).output == "{\"id\":\"me\"}\n")
        #expect(try await cli.run("get-birthday", "--user", "x", in: store).output == "2001-01-01\n", "the last counts")
    }

    @Test("A dry run reports invalid lines and saves nothing")
    func dryRun() async throws {
        let good = try await cli.run("import", "--dry-run", in: cli.store(.lmdb), input: Self.text)
        #expect(good.code == 0 && good.isOneSentence && good.error.contains("4 valid profiles; nothing"), "\(good)")
        let wrong = Self.text + "{\"id\":\"x\",\"birthday\":\"2011-02-29\"}\n[]\n"
        let dryRun = try await cli.run("import", "--dry-run", in: cli.store(.lmdb), input: wrong)
        #expect(dryRun.code == 65 && dryRun.output.isEmpty, "\(dryRun)")
        for words in ["line 5", "line 6", "found 4 valid profiles, and 2 invalid lines;"] {
            #expect(dryRun.error.contains(words), "\(dryRun)")
        }
        #expect(try cli.snapshot().keys.allSatisfy { !$0.hasPrefix("store") })
        #expect(try await cli.run("import", "--dry-run", "--resume", in: cli.store(.lmdb)).code == 64)
    }

    @Test("A condition selects the users that are exported")
    func filteredExport() async throws {
        let store = cli.store(.lmdb)
        try await cli.run("import", in: store, input: Self.text)
        let some = try await cli.run("export", "--where", "birthday exists", "--format", "csv", in: store)
        #expect(some.lines == ["id,mailAddress,birthday", "me,,2011-08-01", "né,né@例え.jp,1904-02-29"])
    }

    // MARK: Errors

    private static let wrong = "id,birthday\na,2011-08-01\nb,2011-8-1\nc,\nd\ne,\n"

    @Test("An invalid line stops an import, which can be resumed")
    func stoppedImport() async throws {
        let store = cli.store(.lmdb)
        try cli.write(Self.wrong, to: "x.csv")
        let stopped = try await cli.run("import", "x.csv", in: store)
        #expect(stopped.code == 65 && stopped.output.isEmpty)
        #expect(stopped.error.contains("line 3: \"2011-8-1\" is not a birthday"), "\(stopped.error)")
        #expect(stopped.error.contains("up to line 2; continue with --resume"), "\(stopped.error)")
        #expect(try await cli.run("list", in: store).lines == ["a\t\t2011-08-01"])
        // Lines after the last saved one may be corrected; lines before it must not change.
        try cli.write(Self.wrong.replacing("a,2011", with: "a,2010"), to: "x.csv")
        let other = try await cli.run("import", "x.csv", "--resume", in: store)
        #expect(other.code == 65 && other.error.contains("up to line 2"), "\(other.error)")
        try await cli.run("delete", "--yes", "--user", "a", in: store)
        try cli.write("id,birthday\na,2011-08-01\nb,2011-08-01\nc,\n", to: "x.csv")
        let resumed = try await cli.run("import", "x.csv", "--resume", in: store)
        #expect(resumed.code == 0, "\(resumed.error)")
        #expect(try await cli.run("list", in: store).lines == ["b\t\t2011-08-01", "c\t\t"], "a was not imported again")
        let again = try await cli.run("import", "x.csv", "--resume", in: store)
        #expect(again.code == 65 && again.isOneSentence && again.error.contains("no import of this input"))
        #expect(try await cli.run("list", in: store).lines.count == 2, "the import is complete")
    }

    @Test("Invalid lines are skipped and reported")
    func skippedLines() async throws {
        let store = cli.store(.plist)
        let skipped = try await cli.run(
            "import", "-", "--format", "csv", "--on-error", "skip", in: store, input: Self.wrong)
        #expect(skipped.code == 65)
        #expect(skipped.error.contains("line 3: ") && skipped.error.contains("line 5: 1 value"))
        #expect(skipped.error.contains("imported 3 profiles") && skipped.error.contains("skipped 2 lines"))
        #expect(try await cli.run("list", in: store).lines == ["a\t\t2011-08-01", "c\t\t", "e\t\t"])
        #expect(try !String(contentsOf: cli.url("store"), encoding: .utf8).contains("imports"), "no mark is left")
        let many = try await cli.run(
            "import", "--on-error", "skip", in: store, input: String(repeating: "{}\n", count: 1000))
        #expect(many.error.count { $0.isNewline } < 110 && many.error.contains("and 900 more"))
    }

    @Test("A line that is too long is skipped, and a resumed import continues after it")
    func longLine() async throws {
        let store = cli.store(.lmdb)
        try cli.write("{\"id\":\"a\"}\n\(String(repeating: "x", count: 3 << 20))\n{\"id\":\"b\"}\n", to: "users")
        let stopped = try await cli.run("import", "users", in: store)
        #expect(stopped.code == 65 && stopped.error.contains("line 2: longer than 1048576 bytes"))
        let skipped = try await cli.run("import", "users", "--resume", "--on-error", "skip", in: store)
        #expect(skipped.code == 65 && skipped.error.contains("imported 2 profiles"), "\(skipped.error)")
        #expect(try await cli.run("list", in: store).lines == ["a\t\t", "b\t\t"])
    }

    @Test("A failed import reports only profiles that it has saved")
    func foreignProgress() async throws {
        let store = cli.store(.lmdb)
        try cli.write("{\"id\":\"a\"}\nbad\n", to: "users")
        let first = try await cli.run("import", "users", in: store)
        #expect(first.code == 65 && first.error.contains("imported 1 profile up to line 1; continue with --resume"))
        let repeated = try await cli.run("import", "users", in: store)
        #expect(repeated.error.contains("imported 1 profile up to line 1"), "\(repeated.error)")
        try cli.write("{\"id\":\"b\"}\nbad\n", to: "users")
        let rejected = try await cli.run("import", "users", "--resume", in: store)
        #expect(rejected.code == 65 && rejected.isOneSentence, "\(rejected.error)")
        try cli.write("bad\n", to: "users")
        let other = try await cli.run("import", "users", in: store)
        #expect(other.code == 65 && other.error.contains("no profile was imported"), "\(other.error)")
    }

    @Test("A quote that is not closed hides no other line")
    func unclosedQuote() async throws {
        let store = cli.store(.lmdb)
        let skipped = try await cli.run(
            "import", "-", "--format", "csv", "--on-error", "skip", in: store, input: "id\na\n\"b\nc\nd\n")
        #expect(skipped.code == 65 && skipped.error.contains("line 3: the quote"), "\(skipped.error)")
        #expect(skipped.error.contains("imported 3 profiles") && skipped.error.contains("skipped 1 line"))
    }

    @Test("Files that cannot be read or written end with an exit code")
    func fileErrors() async throws {
        let store = cli.store(.lmdb)
        try await cli.run("set-birthday", "2011-08-01", in: store)
        try await cli.run("delete", "--yes", in: store)
        #expect(try await cli.run("import", "nothing", in: store).code == 66)
        #expect(try await cli.run("import", "home", in: store).code == 66)
        #expect(try await cli.run("import", "--batch", "0", in: store).code == 64)
        #expect(try await cli.run("export", "nowhere/x", in: store).code == 73)
        #expect(try await cli.run("export", "home", "--replace", "--yes", in: store).code == 73)
        #expect(try await cli.run("export", "--where", "name = a", in: store).code == 64)
        try cli.write("mine", to: "x.csv")
        let there = try await cli.run("export", "x.csv", in: store)
        #expect(there.code == 73 && there.isOneSentence)
        #expect(try String(contentsOf: cli.url("x.csv"), encoding: .utf8) == "mine")
        #expect(try await cli.run("export", "x.csv", "--replace", "--yes", in: store).code == 0)
        #expect(try String(contentsOf: cli.url("x.csv"), encoding: .utf8) == "id,mailAddress,birthday\n")
        let names = try cli.snapshot().keys.filter { !$0.hasPrefix("store") }
        #expect(names.sorted() == ["home", "x.csv"], "nothing is left beside it")
    }

    @Test("A closed pipe ends the output without a message")
    func closedPipe() async throws {
        let store = cli.store(.lmdb)
        let lines = (0..<20_000).map { "{\"id\":\"user\($0)\",\"mailAddress\":\"user\($0)@example.com\"}\n" }
        try await cli.run("import", in: store, input: lines.joined())
        for command in ["export", "list"] {
            let head = try await cli.shell(
                "(profile-cli \(command) --store \(store.text); echo $? >&2) | head -n 1")
            #expect(head.lines.count == 1 && head.error == "141\n", "\(head)")
        }
        #expect(try await cli.run("get-mail", "--user", "user9", in: store).code == 0)
    }
}
