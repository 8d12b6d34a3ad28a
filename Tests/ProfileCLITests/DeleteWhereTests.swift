import Testing

/// Tests of `count` and `delete --where`.
@Suite struct DeleteWhereTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    private func fill(_ store: Store) async throws {
        let lines = [("a", "a@example.com"), ("b", ""), ("c", "c@example.org"), ("d", "")].map { id, address in
            #"{"id":"\#(id)","mailAddress":"\#(address)","birthday":"2011-08-01"}"#
        }
        try await cli.run("import", "-", in: store, input: lines.joined(separator: "\n"))
    }

    @Test("count prints the number of users that meet a condition", arguments: StoreKind.allCases)
    func count(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        let missing = try await cli.run("count")
        #expect(missing.code == 0 && missing.lines == ["0"] && missing.error.contains("nothing is saved yet"))
        try await fill(store)
        #expect(try await cli.run("count", in: store).lines == ["4"])
        let some = try await cli.run("count", "--where", "not mail exists", "--format", "json", in: store)
        #expect(some.code == 0 && some.lines == [#"{"count":2}"#] && some.error.isEmpty)
        let mistake = try await cli.run("count", "--where", "mail exist", in: store)
        #expect(mistake.code == 64 && mistake.error.contains("^"))
    }

    @Test("delete --where deletes the users that meet a condition", arguments: StoreKind.allCases)
    func deletion(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await fill(store)
        let listed = try await cli.run("delete", "--where", "not mail exists", "--dry-run", in: store)
        #expect(listed.code == 0 && listed.lines == ["b\t\t2011-08-01", "d\t\t2011-08-01"])
        #expect(listed.error == "profile-cli: 2 users would be deleted; nothing was changed\n")
        let unconfirmed = try await cli.run("delete", "--where", "not mail exists", in: store)
        #expect(unconfirmed.code == 64 && unconfirmed.output.isEmpty && unconfirmed.error.contains("--yes"))
        #expect(try await cli.run("count", in: store).lines == ["4"])
        let deleted = try await cli.run("delete", "--where", "not mail exists", "--yes", in: store)
        #expect(deleted.code == 0 && deleted.output.isEmpty && deleted.error == "profile-cli: deleted 2 users\n")
        #expect(try await cli.run("list", in: store).lines.map { $0.prefix(1) } == ["a", "c"])
        for option in ["--yes", "--dry-run"] {
            let none = try await cli.run("delete", "--where", "not mail exists", option, in: store)
            #expect(none.code == 1 && none.isOneSentence)
        }
    }

    @Test("delete --where asks on a terminal")
    func question() async throws {
        let store = cli.store(.lmdb)
        try await fill(store)
        for (answer, code, count) in [("n\r", 1 as Int32, "4"), ("y\r", 0, "2")] {
            let terminal = try cli.terminal("delete", "--where", "mail exists", in: store)
            try await terminal.wait(for: "delete 2 users? [y/N] ")
            terminal.type(answer)
            #expect(try await terminal.end() == code)
            #expect(try await cli.run("count", in: store).lines == [count])
        }
    }

    @Test(
        "Options that cannot be combined are rejected",
        arguments: [["--where", "id = a", "--user", "a", "--yes"], ["--dry-run"]])
    func exclusion(_ options: [String]) async throws {
        let store = cli.store(.plist)
        try await fill(store)
        #expect(try await cli.run(["delete"] + options, in: store).code == 64)
        #expect(try await cli.run("count", in: store).lines == ["4"])
    }
}
