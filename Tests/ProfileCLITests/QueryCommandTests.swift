import DataStoreTesting
import Foundation
import Testing

@Suite struct QueryCommandTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    /// Users whose ids say nothing of the order of the rest.
    private func fill(_ store: Store) async throws {
        for (id, address, birthday) in [
            ("a", "vision@example.com", "2000-02-29"), ("b", "vision@EXAMPLE.org", "1990-12-31"),
            ("c", "zoe@example.com", "1990-01-01"), ("d", "", "1985-08-01"), ("e", "Vision@example.com", ""),
        ] {
            if !address.isEmpty { try await cli.run("set-mail", address, "--user", id, in: store) }
            if !birthday.isEmpty { try await cli.run("set-birthday", birthday, "--user", id, in: store) }
        }
    }

    private func ids(_ arguments: String..., in store: Store) async throws -> String {
        let outcome = try await cli.run(["list"] + arguments, in: store)
        #expect(outcome.code == 0 && outcome.error.isEmpty, "\(arguments): \(outcome.error)")
        return outcome.lines.compactMap { $0.split(separator: "\t").first.map(String.init) }.joined()
    }

    // MARK: What is found

    @Test(arguments: StoreKind.allCases)
    func usersAreListedWhoMeetACondition(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await fill(store)
        for (condition, expected) in [
            ("birthday = 2000-02-29", "a"), ("birthday == 2000-02-29", "a"), ("birthday != 2000-02-29", "bcde"),
            ("birthday<1990-12-31", "cd"), ("birthday <= 1990-12-31", "bcd"), ("birthday > 1990-12-31", "a"),
            ("birthday >= 1990-12-31", "ab"), ("birthday between 1990-01-01 and 1999-12-31", "bc"),
            ("birthday in (1990-01-01, 1985-08-01)", "cd"), ("birthday exists", "abcd"), ("not birthday exists", "e"),
            ("day between 12-24 and 12-31", "b"), ("day = 02-29", "a"), ("mail = vision@EXAMPLE.com", "a"),
            ("mail begins vision@", "ab"), ("mail contains EXAMPLE.com", "ace"), ("mail contains 'ision@e'", "abe"),
            ("id in (a, 'e')", "ae"), ("id > b and id <= d", "cd"),
            ("not (mail exists and birthday exists)", "de"),
            // And binds closer than or.
            ("id = e or id = a and birthday exists or id = b and not birthday exists", "ae"),
            ("(id = e or id = a) and birthday exists", "a"), ("not not id=\"d\"", "d"),
        ] {
            #expect(try await ids("--where", condition, in: store) == expected, "\(condition)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func itIsSaidHowUsersAreFound(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await fill(store)
        for (arguments, expected) in [
            (
                ["--where", "mail = vision@example.com"],
                "found 1 by the index mailAddress:mailAddress.comparable@1, in its order: looked at 1 of its entries"
            ),
            (
                ["--where", "birthday >= 1990-01-01", "--sort", "birthday desc, mail", "--limit", "2"],
                "found 2 by the index birthday, in its order: looked at 3 of its entries"
            ),
            (
                ["--where", "birthday >= 1990-01-01 and mail begins v"],
                "found 2 by the index mailAddress:mailAddress.comparable@1: "
                    + "looked at 2 of its entries and 2 of what they lead to"
            ),
            (["--where", "mail contains zoe"], "found 1 without an index: looked at all 5"),
        ] {
            let outcome = try await cli.run(["list", "--explain"] + arguments, in: store)
            #expect(outcome.lines == [expected] && outcome.error.isEmpty && outcome.code == 0, "\(outcome)")
        }
        let outcome = try await cli.run(["list", "--explain", "--format", "json", "--where", "day = 02-29"], in: store)
        #expect(
            outcome.lines == [
                #"{"entriesLookedAt":1,"index":"birthday:date.monthDay@1","isInOrder":true,"#
                    + #""usersFound":1,"usersLookedAt":0}"#
            ])
    }

    @Test(arguments: StoreKind.allCases)
    func usersAreListedInTheOrderOfASort(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await fill(store)
        #expect(try await ids("--sort", "birthday", in: store) == "edcba")
        #expect(try await ids("--sort", "birthday desc", in: store) == "abcde")
        #expect(try await ids("--sort", "mail", in: store) == "deabc")
        #expect(try await ids("--sort", "day asc, id desc", in: store) == "ecadb")
        #expect(try await ids("--sort", "id desc", "--limit", "2", in: store) == "ed")
        #expect(try await ids("--sort", "birthday desc", "--where", "mail exists", "--limit", "3", in: store) == "abc")
        #expect(try await ids("--limit", "4", in: store) == "abcd")
    }

    @Test func moreUsersThanAPageAreListedAll() async throws {
        let users = (0..<1234).map {
            "<key>\($0)</key><dict><key>birthday</key><string>\(1900 + $0 % 100)-01-01</string></dict>"
        }
        try cli.write(
            """
            <?xml version="1.0"?><plist version="1.0"><dict><key>UserProfile</key><dict><key>$format</key>
            <integer>1</integer><key>users</key><dict>\(users.joined())</dict></dict></dict></plist>
            """, to: "store")
        let store = cli.store(.plist)
        let all = try await cli.run("list", "--where", "birthday >= 1901-01-01", in: store)
        #expect(all.lines.count == 1221 && all.error.isEmpty)
        #expect(try await cli.run("list", "--limit", "1100", in: store).lines.count == 1100)
        #expect(try await cli.run("list", "--sort", "birthday, id", in: store).lines.count == 1234)
    }

    @Test func jsonHasAUserALine() async throws {
        try await fill(cli.store(.plist))
        let outcome = try await cli.run("list", "--where", "id = d", "--format", "json", in: cli.store(.plist))
        #expect(try outcome.document() == UserDocument(id: "d", birthday: "1985-08-01"))
    }

    // MARK: Mistakes

    /// A query that is rejected: where the mark stands, and words of the reason.
    struct Mistake: CustomTestStringConvertible {
        let option: String
        let query: String
        let column: Int
        let reason: String
        let code: Int32
        var testDescription: String { query }

        init(_ query: String, at column: Int, _ reason: String, in option: String = "--where", code: Int32 = 64) {
            (self.option, self.query, self.column, self.reason, self.code) = (option, query, column, reason, code)
        }
    }

    static let mistakes = [
        Mistake("", at: 0, "a field is expected (id, mail, birthday, day), not the end"),
        Mistake("shoesize = 3", at: 0, "a field is expected"), Mistake("'mail' exists", at: 0, "a field is expected"),
        Mistake("birthday", at: 8, "after a field comes"), Mistake("birthday is 3", at: 9, "not \"is\""),
        Mistake("birthday =", at: 10, "a date, yyyy-MM-dd, is expected, not the end"),
        Mistake("birthday ! 2000-01-01", at: 9, "a ! stands before a ="),
        Mistake("birthday = 2011-02-29", at: 11, "28 days", code: 65),
        Mistake("mail = \"天気 x\" and mail = vision@", at: 7, "white space", code: 65),
        Mistake("id = '天気' and mail = vision@", at: 23, "the domain after the @ is missing", code: 65),
        Mistake("day between 01-01 and 13-01", at: 22, "01 to 12", code: 65),
        Mistake("day between 01-01 or 12-01", at: 18, "\"and\" is expected, not \"or\""),
        Mistake("id in a", at: 6, "in parentheses"),
        Mistake("id in (a b)", at: 9, "a comma or the closing parenthesis"),
        Mistake("id in ()", at: 7, "a user id is expected"), Mistake("(id = a", at: 7, "closing parenthesis"),
        Mistake("id = a id = b", at: 7, "and, or, or the end"), Mistake("id = 'a", at: 5, "is not closed"),
        Mistake("mail < a@example.com", at: 5, "neither before nor after"),
        Mistake("birthday contains 1990", at: 9, "compared as a whole"),
        Mistake(String(repeating: "(", count: 5000), at: 100, "nested at most 100 deep"),
        Mistake("id = a\n\tand x", at: 12, "a field is expected"),
        Mistake("birthday down", at: 9, "asc, desc, a comma", in: "--sort"),
        Mistake("birthday,", at: 9, "a field is expected", in: "--sort"),
    ]

    @Test(arguments: mistakes) func aMistakeIsPointedAt(_ mistake: Mistake) async throws {
        let outcome = try await cli.run(["list", mistake.option, mistake.query], in: cli.store(.lmdb))
        #expect(outcome.code == mistake.code && outcome.output.isEmpty)
        let lines = outcome.error.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 4 && lines[3].isEmpty, "\(outcome.error)")
        #expect(lines[0].hasPrefix("profile-cli: ") && lines[0].contains(mistake.reason), "\(lines[0])")
        #expect(lines[1] == "  " + mistake.query.replacing("\n", with: " ").replacing("\t", with: " "))
        #expect(lines[2] == "  " + String(repeating: " ", count: mistake.column) + "^")
        // Nothing is opened for it.
        #expect(try cli.snapshot() == ["home": nil])
    }

    @Test func anyWordsAreAConditionOrAMistake() async throws {
        var generator = SeededGenerator()
        print("conditions: seed \(generator.seed)")
        let words = [
            "id", "mail", "birthday", "day", "=", "!=", "<", ">=", "!", "in", "between", "begins", "contains", "exists",
            "and", "or", "not", "(", ")", ",", "'", "\"", "a", "'a b'", "a@example.com", "2000-02-29", "12-31",
            "e\u{301}",
        ]
        for _ in 0..<60 {
            let condition = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                words.randomElement(using: &generator) ?? "id"
            }.joined(separator: Bool.random(using: &generator) ? " " : "")
            let outcome = try await cli.run("list", "--where", condition, in: .memory)
            #expect([0, 64, 65].contains(outcome.code) && outcome.output.isEmpty, "\(condition)")
            #expect(outcome.error.isEmpty == (outcome.code == 0), "\(condition)")
        }
    }

    @Test(arguments: ["0", "-1", "x"]) func aLimitThatIsNoneIsAMistake(_ limit: String) async throws {
        let outcome = try await cli.run("list", "--limit=\(limit)", in: cli.store(.lmdb))
        #expect(outcome.code == 64 && outcome.error.contains("limit") && outcome.output.isEmpty)
    }

    // MARK: Birthdays

    struct ComingDocument: Decodable, Equatable {
        let id: String
        var mailAddress: String?
        let birthday: String
        let date: String
        let age: Int
    }

    @Test(arguments: StoreKind.allCases)
    func birthdaysAreListedAsTheyCome(_ kind: StoreKind) async throws {
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
            try day.document() == ComingDocument(id: "d", birthday: "1985-08-01", date: "2026-08-01", age: 41))
        let none = try await cli.run("birthdays", "--from", "2026-03-02", "--within", "30d", in: store)
        #expect(none.code == 0 && none.output.isEmpty && none.error.isEmpty)
        // Whatever day it is today, all of them are within a year.
        #expect(try await cli.run("birthdays", "--within", "365d", in: store).lines.count == 4)
    }

    @Test func badDaysAreMistakes() async throws {
        for days in ["", "d", "-1d", "30w", "1.5", "３"] {
            let outcome = try await cli.run("birthdays", "--within=\(days)", in: cli.store(.lmdb))
            #expect(outcome.code == 64 && outcome.output.isEmpty, "\(days)")
        }
        let outcome = try await cli.run("birthdays", "--from", "2026-02-29", in: cli.store(.lmdb))
        #expect(outcome.code == 65 && outcome.isOneSentence)
        #expect(try cli.snapshot() == ["home": nil])
    }
}
