import Foundation
import Testing
import UserProfileKit

@Suite struct CursorTests {
    @Test("The position of the next page is read back from JSON")
    func json() async throws {
        try await UserProfileStorage.open(.memory).closing { storage in
            for id in ["a", "b", "c"] { try await storage.users.save(User(id: UserID(id))) }
            let query = Query<User>(sort: [.descending(\.birthday), .ascending(\.mailAddress)], limit: 2)
            let next = try #require(try await storage.users.find(query).next)
            let cursor = try JSONDecoder().decode(Query<User>.Cursor.self, from: JSONEncoder().encode(next))
            #expect(cursor == next)
        }
    }
}
