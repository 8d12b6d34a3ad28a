import Foundation
import ProfileFormats
import Testing
import UserProfileKit

/// Tests of queries in other languages.
@Suite struct TranslationTests {
    struct Note: Codable, Identifiable, Sendable, Queryable {
        let id: String
        var title: String?
        var count: Int?
        var ratio: Double?
        static let fields = EntityFields(of: Note.self)
    }

    private static let titles: [String?] = [
        nil, "", "a", "A", "ab", "a%b", "a_b", "a*b", "a?b", "a[b]c", "a\\b", "it's", "\"", "e\u{301}", "\u{E9}", "É",
        "Straße", "STRASSE", "😀", "a\nb", "-- ; DROP TABLE notes", "?", "$1", "%@",
    ]

    private static var notes: [Note] {
        titles.enumerated().map { index, title in
            Note(
                id: "n\(index * 7 % 24)", title: title, count: index % 5 == 0 ? nil : index % 4,
                ratio: index % 3 == 0 ? nil : Double(index) / 2)
        }
    }

    private static var filters: [Filter<Note>] {
        var filters: [Filter<Note>] = [\.count == 2, \.count != 2, \.count < 2, \.count == nil, \.ratio == .nan]
        filters.append(\.count >= 1 && \.ratio > 2)
        filters.append(!(\.count == nil || \.ratio < 5))
        filters.append(!(\.count <= 1))
        filters.append(\.ratio != .nan)
        filters += [
            .between(\.ratio, 1, 4), .isIn(\.count, [0, 3]), .isIn(\.count, [] as [Int]), !.isIn(\.count, [] as [Int]),
        ]
        filters += [.all(of: [] as [Filter<Note>]), .any(of: [] as [Filter<Note>])]
        for pattern in ["a?b", "a\\?b", "*[b]*", "\\*", "?", "a\\\\b", "*b*"] {
            filters += [.like(\.title, pattern), !.like(\.title, pattern)]
        }
        for case let title? in titles {
            filters += [
                \.title == title, \.title != title, \.title > title, .begins(\.title, with: title),
                .ends(\.title, with: title), .contains(\.title, title), .equals(\.title, ignoringCase: title),
                .contains(\.title, title, ignoringCase: true),
            ]
        }
        return filters
    }

    private static let sorts: [[Sort<Note>]] = [
        [], [.ascending(\.title)], [.descending(\.count)], [.ascending(\.count), .descending(\.ratio)],
        [.descending(\.title), .ascending(\.ratio)],
    ]

    private func sql(_ query: Query<Note>, _ dialect: SQLText.Dialect = .sqlite) throws -> SQLText {
        try query.sql(dialect) {
            "\"\($0)\""
        } folded: {
            "\"\($0)_folded\""
        }
    }

    @Test("SQLite selects what a local store selects", .enabled(if: FileManager.default.fileExists(atPath: sqlitePath)))
    func sqlite() async throws {
        let storage = try await UserProfileStorage.open(.memory, entities: [EntityType(Note.self, in: "notes")])
        let notes = try storage.repository(of: Note.self)
        var script = "CREATE TABLE notes (id TEXT, title TEXT, title_folded TEXT, count INTEGER, ratio REAL);\n"
        for note in Self.notes {
            try await notes.save(note)
            let folded = note.title.map { Filter<Note>.equals(\.title, ignoringCase: $0) }
            let values: [Operand?] = [
                .text(note.id), note.title.map(Operand.text),
                try folded.flatMap { try sql(Query(where: $0)).parameters[0] },
                note.count.map(\.operand), note.ratio.map(\.operand),
            ]
            script += "INSERT INTO notes VALUES (\(values.map(Self.literal).joined(separator: ", ")));\n"
        }
        var expected: [String] = []
        func add(_ query: Query<Note>) async throws -> Page<Note> {
            let sql = try sql(query)
            var values = sql.parameters[...]
            // The text of the statement has no other question mark.
            let statement = sql.text.map { $0 == "?" ? Self.literal(values.removeFirst()) : String($0) }.joined()
            script += "SELECT coalesce(group_concat(id, ' '), '') FROM (SELECT id FROM notes \(statement));\n"
            let page = try await notes.find(query)
            expected.append(page.entities.map(\.id).joined(separator: " "))
            return page
        }
        for (index, filter) in Self.filters.enumerated() {
            _ = try await add(Query(where: filter, sort: Self.sorts[index % Self.sorts.count]))
        }
        for sort in Self.sorts {
            var query = Query<Note>(where: \.title != "a", sort: sort, limit: 4)
            repeat { query.cursor = try await add(query).next } while query.cursor != nil
        }
        await storage.close()
        let found = try run(script)
        #expect(found.count == expected.count)
        for (index, (found, expected)) in zip(found, expected).enumerated() {
            #expect(found == expected, "query \(index)")
        }
    }

    private static let sqlitePath = "/usr/bin/sqlite3"

    private static func literal(_ value: Operand?) -> String {
        switch value {
        // As a blob, so that the shell does not see the characters.
        case .text(let text):
            "CAST(x'\(text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())' AS TEXT)"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        default: "NULL"
        }
    }

    private func run(_ script: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.sqlitePath)
        process.arguments = ["-batch", "-bail", ":memory:"]
        let file = FileManager.default.temporaryDirectory.appending(path: "translation-\(UUID()).sql")
        try Data(script.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let output = Pipe()
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    @Test("Values are parameters of a statement, and never part of its text")
    func statements() throws {
        let evil = "'; DROP TABLE notes; --"
        let query = Query<Note>(
            where: \.title == evil && !(.contains(\.title, "50%_\\")), sort: [.descending(\.count)], limit: 10,
            after: .init(values: [.integer(3)], id: "n1"))
        let sql = try sql(query, .postgres)
        #expect(
            sql.text == """
                WHERE (("title" = $1 AND ("title" LIKE $2) IS NOT TRUE) AND (("count" < $3 OR "count" IS NULL) \
                OR ("count" = $4 AND "id" > $5))) ORDER BY "count" DESC NULLS LAST, "id" ASC LIMIT $6
                """)
        #expect(
            sql.parameters == [
                .text(evil), .text("%50\\%\\_\\\\%"), .integer(3), .integer(3), .text("n1"), .integer(10),
            ])
        #expect(try self.sql(Query(where: .like(\.title, "*[?"))).parameters == [.text("*[[]?")])
    }

    @Test("A query becomes GET parameters, whose condition is parsed again")
    func parameters() throws {
        let query = Query<User>(
            where: .begins(\.mailAddress, with: "it's \"e\u{301}\" 日", ignoringCase: true)
                || !(\.birthday == nil) && !(.isIn(\.id, [])),
            sort: [.descending(\.birthday), .ascending(\.id)], limit: 5,
            after: .init(values: [nil, .text("a b")], id: try UserID("a b")))
        let parameters = try query.parameters { ["mailAddress": "mail", "monthDay": "day"][$0] ?? $0 }
        #expect(parameters.map(\.name) == ["where", "sort", "limit", "after", "after", "after"])
        #expect(
            parameters.map(\.value) == [
                "mail begins 'it''s \"e\u{301}\" 日' ignoring case or not not birthday exists", "birthday desc, id",
                "5", "", "a b", "a b",
            ])
        let parsed = try Filter<User>(parsing: parameters[0].value)
        #expect(try parsed.text { $0 == "mailAddress" ? "mail" : $0 } == parameters[0].value)
        #expect(try Filter<User>.all(of: [] as [Filter<User>]).text() == "id exists")
        #expect(try Filter<User>.any(of: [] as [Filter<User>]).text() == "not id exists")
        #expect(
            try Filter<Weather>.any(\.forecasts, .contains(\.telop, "雪") && .exists(\.date)).text()
                == "forecasts (telop contains '雪' and date exists)")
    }

    @Test("A query becomes the text of a predicate")
    func predicates() throws {
        let query = Query<Note>(
            where: .like(\.title, "a\"\\*\n*", ignoringCase: true) && \.count != 3 && !(.isIn(\.title, ["x", "%@"])),
            sort: [.ascending(\.title)], after: .init(values: [nil], id: "n\"1"))
        #expect(
            try query.predicate() == """
                (((title LIKE[c] "a\\"\\\\*\n*" AND count != 3) AND NOT (title IN {"x", "%@"})) AND ((title != nil) OR \
                (NOT (title != nil) AND id > "n\\"1")))
                """)
        #expect(try Query<Note>().predicate() == "TRUEPREDICATE")
        #expect(
            try Query<Weather>(where: .any(\.forecasts, .begins(\.telop, with: "雪"))).predicate()
                == "SUBQUERY(forecasts, $part1, $part1.telop BEGINSWITH \"雪\").@count > 0")
        #expect(
            try Query<Weather>(where: \.publishedAt < Instant(seconds: 978_307_201)).predicate()
                == "publishedAt < CAST(1.0, \"NSDate\")")
    }

    @Test("What another language cannot express is an error")
    func unsupported() throws {
        let nul = Query<Note>(where: .contains(\.title, "a\0b"))
        let cursor = Query<Note>(sort: [.ascending(\.count)], after: .init(values: [], id: "a"))
        #expect(throws: RepositoryError.self) { try sql(nul) }
        #expect(throws: RepositoryError.self) { try nul.predicate() }
        #expect(throws: RepositoryError.self) { try sql(cursor) }
        #expect(throws: RepositoryError.self) { try Query<Note>(where: \.count == 1).sql(.sqlite) { _ in nil } }
        let error = #expect(throws: RepositoryError.self) {
            try Query<Note>(where: .equals(\.title, ignoringCase: "a")).sql(.sqlite) { $0 }
        }
        #expect(error?.message == "SQL cannot express a condition that ignores the case of title; pass `folded`")
    }
}
