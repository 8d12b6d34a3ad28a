import DataStoreCore
import DataTesting
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of cursors as text, which a service returns to its clients.
@Suite struct CursorTests {
    struct Item: Codable, Identifiable, Hashable, Sendable, Queryable {
        let id: UUID
        var name: String?
        var at: Date
        var count: Int
        var ratio: Double
        var isDone: Bool
        static let fields = EntityFields(of: Item.self)
    }

    @Test("Pages continue with a cursor that was text", arguments: StoreLocation.Kind.allCases)
    func pages(_ kind: StoreLocation.Kind) async throws {
        let items = try DataStoreRepository(
            store: StoreLocation(kind).open(), mapping: CodableMapping<Item>(in: "items"))
        for number in 0..<7 {
            try await items.save(
                Item(
                    id: UUID(), name: number < 2 ? nil : "\u{0}é\(number % 3)",
                    at: Date(timeIntervalSince1970: Double(number % 2) + 0.5), count: -number, ratio: 0.1,
                    isDone: number == 3))
        }
        var query = Query<Item>(
            sort: [
                .ascending(\.name), .descending(\.at), .ascending(\.isDone), .ascending(\.ratio), .descending(\.count),
            ])
        let all = try await items.find(query).entities
        query.limit = 2
        var found: [Item] = []
        repeat {
            let page = try await items.find(query)
            found += page.entities
            let data = try JSONEncoder().encode(page.next)
            query.cursor = try JSONDecoder().decode(Query<Item>.Cursor?.self, from: data)
            #expect(query.cursor == page.next)
        } while query.cursor != nil
        #expect(found == all && all.count == 7)
    }

    @Test("A cursor of another sort is rejected with the numbers of fields that the caller passed")
    func otherSort() async throws {
        struct Numbered: Codable, Identifiable, Sendable, Queryable {
            let id: Int
            var name: String
            static let fields = EntityFields(of: Numbered.self)
        }
        let items = try DataStoreRepository(
            store: StoreLocation(.memory).open(), mapping: CodableMapping<Numbered>(in: "items"))
        let cursor = Query<Numbered>.Cursor(values: [.text("a"), .text("b")], id: 1)
        let error = await #expect(throws: RepositoryError.self) {
            try await items.find(Query(sort: [.ascending(\.name)], after: cursor))
        }
        #expect(error?.code == .programmingError)
        #expect(error?.message.contains("sort by 2 fields, but the query sorts by 1;") == true, "\(error)")
    }

    @Test("Other text is not a cursor")
    func otherText() throws {
        let cursor = Query<Item>.Cursor(values: [.text("a"), nil, .integer(.min), .real(.infinity)], id: UUID())
        let text = try cursor.text
        #expect(try Query<Item>.Cursor(text) == cursor)
        var texts = ["", "x", "AQ", text + "AA", text + "A", text + "=", text.uppercased()]
        for index in text.indices {
            texts.append(String(text[..<index]))
            texts.append(String(text[..<index]) + "7" + text[text.index(after: index)...])
        }
        for other in texts where other != text {
            #expect(throws: ValidationError.self, "\(other)") { try Query<Item>.Cursor(other) }
        }
        struct Numbered: Codable, Identifiable, Sendable { let id: Int }
        let error = #expect(throws: ValidationError.self) { try Query<Numbered>.Cursor(text) }
        #expect(error?.rule == "it belongs to another query; start at the first page")
    }
}
