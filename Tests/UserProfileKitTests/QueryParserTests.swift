import DataStoreTesting
import Foundation
import ProfileFormats
import Testing
import UserProfileDomain
import UserProfileKit

/// Tests of conditions and sorts as a person types them, parsed and run in this process.
@Suite struct QueryParserTests {
    static let kinds = ["lmdb", "plist"]

    /// Opens a storage of a kind and saves users whose ids are unrelated to the order of the other fields.
    private func withUsers<Result>(
        _ kind: String, _ body: (UserProfileStorage) async throws -> Result
    ) async throws -> Result {
        let path = FileManager.default.temporaryDirectory.appending(path: "query-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let storage = try await UserProfileStorage.open(StorageLocation("\(kind):\(path)"))
        for (id, address, birthday) in [
            ("a", "vision@example.com", "2000-02-29"), ("b", "vision@EXAMPLE.org", "1990-12-31"),
            ("c", "zoe@example.com", "1990-01-01"), ("d", "", "1985-08-01"), ("e", "Vision@example.com", ""),
        ] {
            let user = try UserID(id)
            if !address.isEmpty { try await storage.profiles.saveMailAddress(MailAddress(address), of: user) }
            if !birthday.isEmpty { try await storage.profiles.saveBirthday(Birthday(birthday), of: user, now: .now) }
        }
        let result = try await body(storage)
        await storage.close()
        return result
    }

    private func query(where condition: String? = nil, sort: String? = nil, limit: Int? = nil) throws -> Query<User> {
        Query(where: try condition.map(Filter.init(parsing:)), sort: try sort.map(Sort.parse) ?? [], limit: limit)
    }

    // MARK: Results

    @Test("A condition finds the same users in each kind of store", arguments: kinds)
    func conditions(_ kind: String) async throws {
        try await withUsers(kind) { storage in
            for (condition, expected) in [
                ("birthday = 2000-02-29", "a"), ("birthday == 2000-02-29", "a"), ("birthday != 2000-02-29", "bcde"),
                ("birthday<1990-12-31", "cd"), ("birthday <= 1990-12-31", "bcd"), ("birthday > 1990-12-31", "a"),
                ("birthday >= 1990-12-31", "ab"), ("birthday between 1990-01-01 and 1999-12-31", "bc"),
                ("birthday in (1990-01-01, 1985-08-01)", "cd"), ("birthday exists", "abcd"),
                ("not birthday exists", "e"),
                ("day between 12-24 and 12-31", "b"), ("day = 02-29", "a"), ("mail = vision@EXAMPLE.com", "a"),
                ("mail begins vision@", "ab"), ("mail contains EXAMPLE.com", "ace"), ("mail contains 'ision@e'", "abe"),
                ("mail begins VISION@ ignoring case", "abe"), ("mail contains N@EXAMPLE.c ignoring case", "ae"),
                ("mail ends '.ORG'", "b"), ("mail ends m", "ace"), ("mail like '?ision@*'", "abe"),
                ("mail like *@EXAMPLE.org", "b"), ("mail like 'v*\\*'", ""),
                ("mail = VISION@example.com ignoring case", "ae"), ("id = A ignoring case", "a"),
                ("id in (a, 'e')", "ae"), ("id > b and id <= d", "cd"),
                ("not (mail exists and birthday exists)", "de"),
                // "and" binds closer than "or".
                ("id = e or id = a and birthday exists or id = b and not birthday exists", "ae"),
                ("(id = e or id = a) and birthday exists", "a"), ("not not id=\"d\"", "d"),
            ] {
                let found = try await storage.users.find(query(where: condition)).entities
                #expect(found.map(\.id.text).joined() == expected, "\(condition)")
            }
        }
    }

    @Test("A sort orders the users in each kind of store", arguments: kinds)
    func sorts(_ kind: String) async throws {
        try await withUsers(kind) { storage in
            for (condition, sort, limit, expected) in [
                (nil, "birthday", nil, "edcba"), (nil, "birthday desc", nil, "abcde"), (nil, "mail", nil, "deabc"),
                (nil, "day asc, id desc", nil, "ecadb"), (nil, "id desc", 2, "ed"),
                ("mail exists", "birthday desc", 3, "abc"),
            ] as [(String?, String, Int?, String)] {
                let found = try await storage.users.find(query(where: condition, sort: sort, limit: limit)).entities
                #expect(found.map(\.id.text).joined() == expected, "\(sort)")
            }
        }
    }

    @Test("The explanation contains the index and the number of reads", arguments: kinds)
    func explanations(_ kind: String) async throws {
        try await withUsers(kind) { storage in
            for (query, expected) in [
                (
                    try query(where: "mail = vision@example.com"),
                    "found 1 with the index mailAddress-key, in index order: "
                        + "read 1 index entry"
                ),
                (
                    try query(where: "birthday >= 1990-01-01", sort: "birthday desc, mail", limit: 2),
                    "found 2 with the index birthday, in index order: read 3 index entries"
                ),
                (
                    try query(where: "birthday >= 1990-01-01 and mail begins v"),
                    "found 2 with the index mailAddress-key: "
                        + "read 2 index entries and 2 entities"
                ),
                (try query(where: "mail contains zoe"), "found 1 without an index: read 5 entities"),
                (try query(where: "mail exists", limit: 1), "found 1 without an index: read 1 entity"),
            ] {
                let lines = try await storage.users.explain(query).description.split(separator: "\n")
                #expect(lines[0] == expected && lines.count >= 3, "\(lines)")
            }
        }
    }

    // MARK: Errors

    /// A query that is rejected, with the column of the mark and words of the reason.
    struct InvalidQuery: CustomTestStringConvertible {
        let isSort: Bool
        let query: String
        let column: Int
        let reason: String
        let isBadValue: Bool
        var testDescription: String { query }

        init(_ query: String, at column: Int, _ reason: String, isSort: Bool = false, isBadValue: Bool = false) {
            (self.isSort, self.query, self.column) = (isSort, query, column)
            (self.reason, self.isBadValue) = (reason, isBadValue)
        }
    }

    static let invalidQueries = [
        InvalidQuery("", at: 0, "expected a field (id, mail, birthday, day), not the end"),
        InvalidQuery("shoesize = 3", at: 0, "expected a field"),
        InvalidQuery("'mail' exists", at: 0, "expected a field"),
        InvalidQuery("birthday", at: 8, "after a field"), InvalidQuery("birthday is 3", at: 9, "not \"is\""),
        InvalidQuery("birthday =", at: 10, "expected a date (yyyy-MM-dd), not the end"),
        InvalidQuery("birthday ! 2000-01-01", at: 9, "expected = after !"),
        InvalidQuery("birthday = 2011-02-29", at: 11, "28 days", isBadValue: true),
        InvalidQuery("mail = \"天気 x\" and mail = vision@", at: 7, "white space", isBadValue: true),
        InvalidQuery("id = '天気' and mail = vision@", at: 23, "the domain after the @ is missing", isBadValue: true),
        InvalidQuery("day between 01-01 and 13-01", at: 22, "01 to 12", isBadValue: true),
        InvalidQuery("day between 01-01 or 12-01", at: 18, "expected and after the first value of between, not \"or\""),
        InvalidQuery("id in a", at: 6, "after in"),
        InvalidQuery("id in (a b)", at: 9, "a comma or \")\""),
        InvalidQuery("id in ()", at: 7, "expected a user id"),
        InvalidQuery("(id = a", at: 7, "expected and, or, or \")\""),
        InvalidQuery("id = a id = b", at: 7, "and, or, or the end"), InvalidQuery("id = 'a", at: 5, "is not closed"),
        InvalidQuery("mail < a@example.com", at: 5, "have no order"),
        InvalidQuery("birthday contains 1990", at: 9, "does not apply to birthday"),
        InvalidQuery("mail contains a ignoring all", at: 25, "expected case after ignoring, not \"all\""),
        InvalidQuery("id = a\n\tand x", at: 12, "expected a field"),
        InvalidQuery("birthday down", at: 9, "asc, desc, a comma", isSort: true),
        InvalidQuery("birthday,", at: 9, "expected a field", isSort: true),
    ]

    @Test("An error message has the query on one line and a mark below the mistake", arguments: invalidQueries)
    func invalidQuery(_ invalidQuery: InvalidQuery) throws {
        let error = #expect(throws: QueryError.self) {
            if invalidQuery.isSort {
                _ = try Sort.parse(invalidQuery.query)
            } else {
                _ = try Filter(parsing: invalidQuery.query)
            }
        }
        let lines = try #require(error).description.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 3)
        #expect(error?.isBadValue == invalidQuery.isBadValue)
        #expect(lines[0].contains(invalidQuery.reason))
        #expect(lines[1] == "  " + invalidQuery.query.replacing("\n", with: " ").replacing("\t", with: " "))
        #expect(lines[2] == "  " + String(repeating: " ", count: invalidQuery.column) + "^")
    }

    @Test("An error in a long query shows the part around the mistake")
    func longQuery() throws {
        for (query, reason, shown, column) in [
            (
                String(repeating: "(", count: 50_000), "conditions are nested more than 100 deep",
                "…" + String(repeating: "(", count: 160) + "…", 81
            ),
            (
                "id = a " + String(repeating: "日", count: 50_000),
                "expected and, or, or the end after a condition, not \"" + String(repeating: "日", count: 79) + "…\"",
                "id = a " + String(repeating: "日", count: 80) + "…", 7
            ),
            (
                String(repeating: "id = a or ", count: 5000),
                "expected a field (id, mail, birthday, day), not the end",
                "…" + String(repeating: "id = a or ", count: 8), 81
            ),
        ] {
            let error = #expect(throws: QueryError.self) { try Filter(parsing: query) }
            #expect(error?.description == "\(reason)\n  \(shown)\n  \(String(repeating: " ", count: column))^")
        }
    }

    @Test("Any words are a condition or an error")
    func anyWords() async throws {
        var generator = SeededGenerator()
        print("conditions: seed \(generator.seed)")
        let words = [
            "id", "mail", "birthday", "day", "=", "!=", "<", ">=", "!", "in", "between", "begins", "ends", "like",
            "contains", "exists",
            "and", "or", "not", "(", ")", ",", "'", "\"", "a", "'a b'", "a@example.com", "2000-02-29", "12-31",
            "e\u{301}",
        ]
        let storage = try await UserProfileStorage.open(.memory)
        for _ in 0..<2000 {
            let condition = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                words.randomElement(using: &generator) ?? "id"
            }.joined(separator: Bool.random(using: &generator) ? " " : "")
            do throws(QueryError) {
                let query = Query(where: try Filter(parsing: condition))
                let found = try? await storage.users.find(query).entities
                #expect(found == [], "\(condition)")
            } catch {
                #expect(error.description.hasSuffix("^"), "\(condition)")
            }
        }
        await storage.close()
    }
}
