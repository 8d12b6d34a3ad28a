import Foundation
import Testing

@Suite struct QueryCommandTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    /// Saves users whose ids are unrelated to the order of their other fields.
    private func fill(_ store: Store) async throws {
        for (id, address, birthday) in [
            ("a", "vision@example.com", "2000-02-29"), ("b", "vision@EXAMPLE.org", "1990-12-31"),
            ("c", "zoe@example.com", "1990-01-01"), ("d", "", "1985-08-01"), ("e", "Vision@example.com", ""),
        ] {
            if !address.isEmpty { try await cli.run("set-mail", address, "--user", id, in: store) }
            if !birthday.isEmpty { try await cli.run("set-birthday", birthday, "--user", id, in: store) }
        }
    }

    // MARK: Results

    @Test("A condition, a sort and a limit select the users that are listed")
    func listedUsers() async throws {
        let store = cli.store(.lmdb)
        try await fill(store)
        let outcome = try await cli.run(
            "list", "--where", "birthday >= 1985-01-01", "--sort", "birthday desc", "--limit", "3", in: store)
        #expect(outcome.code == 0 && outcome.error.isEmpty)
        #expect(outcome.lines.map { $0.prefix(1) } == ["a", "b", "c"])
    }

    @Test("The explanation of a query is printed as text and as JSON")
    func explanation() async throws {
        let store = cli.store(.lmdb)
        try await fill(store)
        let text = try await cli.run("list", "--explain", "--where", "mail contains zoe", in: store)
        #expect(text.lines.first == "found 1 without an index: read 5 users" && text.error.isEmpty && text.code == 0)
        #expect(text.lines.contains(#"index "birthday": not used, the query has no condition on birthday"#))
        let outcome = try await cli.run("list", "--explain", "--format", "json", "--where", "day = 02-29", in: store)
        #expect(
            outcome.lines == [
                #"{"entriesRead":1,"index":"birthday:date.monthDay@1","isInOrder":true,"unusedIndexes":["#
                    + #""index \"mailAddress-key\": not used, the query has no condition on mailAddress-key","#
                    + #""index \"birthday\": not used, the condition on birthday "#
                    + #"does not limit it to ranges of values"],"#
                    + #""usersFound":1,"usersRead":0}"#
            ])
    }

    @Test("A list of several pages is complete")
    func severalPages() async throws {
        let users = (0..<1234).map {
            "<key>\($0)</key><dict><key>birthday</key><string>\(1900 + $0 % 100)-01-01</string></dict>"
        }
        try cli.write(
            """
            <?xml version="1.0"?><plist version="1.0"><dict><key>UserProfile</key><dict><key>$format</key>
            <integer>2</integer><key>users</key><dict>\(users.joined())</dict></dict></dict></plist>
            """, to: "store")
        let store = cli.store(.plist)
        let all = try await cli.run("list", "--where", "birthday >= 1901-01-01", in: store)
        #expect(all.lines.count == 1221 && all.error.isEmpty)
        #expect(try await cli.run("list", "--limit", "1100", in: store).lines.count == 1100)
        #expect(try await cli.run("list", "--sort", "birthday, id", in: store).lines.count == 1234)
    }

    @Test("JSON output has a line for each user")
    func json() async throws {
        try await fill(cli.store(.plist))
        let outcome = try await cli.run("list", "--where", "id = d", "--format", "json", in: cli.store(.plist))
        #expect(try outcome.document() == UserDocument(id: "d", birthday: "1985-08-01"))
    }

    // MARK: Errors

    @Test(
        "An error in a query points at the mistake and opens no store",
        arguments: [
            ("--where", "birthday is 3", 64, "after a field", 9), ("--sort", "birthday,", 64, "a field", 9),
            ("--where", "mail = \"天気 x\" and mail = vision@", 65, "white space", 7),
        ])
    func invalidQuery(_ option: String, _ query: String, _ code: Int32, _ reason: String, _ column: Int) async throws {
        let outcome = try await cli.run(["list", option, query], in: cli.store(.lmdb))
        #expect(outcome.code == code && outcome.output.isEmpty)
        let lines = outcome.error.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 4 && lines[3].isEmpty, "\(outcome.error)")
        #expect(lines[0].hasPrefix("profile-cli: ") && lines[0].contains(reason), "\(lines[0])")
        #expect(lines[1] == "  " + query)
        #expect(lines[2] == "  " + String(repeating: " ", count: column) + "^")
        #expect(try cli.snapshot() == ["home": nil])
    }

    @Test(
        "An invalid number is named in the message", arguments: ["0", "-1", "x"],
        [
            ["list", "--limit"], ["forecast", "list", "--limit"], ["record", "list", "a", "--limit"],
            ["import", "--batch"],
        ])
    func invalidNumber(_ number: String, _ command: [String]) async throws {
        let outcome = try await cli.run(command + [number], in: cli.store(.lmdb))
        #expect(outcome.code == 64 && outcome.output.isEmpty)
        #expect(outcome.error.contains(command.last ?? "") && outcome.error.contains(number), "\(outcome.error)")
    }

    // MARK: Birthdays

    struct UpcomingDocument: Decodable, Equatable {
        let id: String
        var mailAddress: String?
        let birthday: String
        let date: String
        let age: Int
    }

    @Test("Upcoming birthdays are sorted by date", arguments: StoreKind.allCases)
    func birthdays(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await fill(store)
        let year = try await cli.run("birthdays", "--from", "2026-12-30", "--within", "100d", in: store)
        #expect(year.code == 0 && year.error.isEmpty)
        #expect(
            year.lines == [
                "2026-12-31\t36\tb\tvision@EXAMPLE.org", "2027-01-01\t37\tc\tzoe@example.com",
                "2027-03-01\t27\ta\tvision@example.com",
            ])
        let day = try await cli.run(
            "birthdays", "--from", "2026-08-01", "--within", "0", "--format", "json", in: store)
        #expect(
            try day.document() == UpcomingDocument(id: "d", birthday: "1985-08-01", date: "2026-08-01", age: 41))
        let none = try await cli.run("birthdays", "--from", "2026-03-02", "--within", "30d", in: store)
        #expect(none.code == 0 && none.output.isEmpty && none.error.isEmpty)
        // Whatever the current date is, all birthdays are within a year.
        #expect(try await cli.run("birthdays", "--within", "364d", in: store).lines.count == 4)
        let several = try await cli.run("birthdays", "--from", "2026-12-30", "--within", "800d", in: store)
        #expect(several.lines.count == 11 && Set(several.lines).count == 11, "\(several)")
    }

    @Test("An invalid period or day is rejected")
    func invalidDays() async throws {
        for days in ["", "d", "-1d", "30w", "1.5", "３", "3661d"] {
            let outcome = try await cli.run("birthdays", "--within=\(days)", in: cli.store(.lmdb))
            #expect(outcome.code == 64 && outcome.output.isEmpty, "\(days)")
        }
        let outcome = try await cli.run("birthdays", "--from", "2026-02-29", in: cli.store(.lmdb))
        #expect(outcome.code == 65 && outcome.isOneSentence)
        #expect(try cli.snapshot() == ["home": nil])
    }
}
