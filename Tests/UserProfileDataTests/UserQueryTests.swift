import DataStoreCore
import DataTesting
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of typed queries of users. `RepositoryConformance` compares random ones with a filter and a sort in plain
/// Swift.
@Suite struct UserQueryTests {
    @Test("An absent filter does not restrict a query")
    func absentFilter() throws {
        let (none, filter): (Filter<User>?, Filter<User>?) = (nil, \.birthday == nil)
        #expect((none && none) == nil && (none && filter) == filter && (filter && none) == filter)
        #expect((filter && filter) == (\.birthday == nil && \.birthday == nil))
    }

    @Test("A field that the mapping does not have is an error")
    func unknownField() async throws {
        let users = try UserRepository(MemoryDataStore())
        for query in [
            Query<User>(where: Filter(.exists("shoeSize"))),
            Query(sort: [Sort(field: "shoeSize", isDescending: false)]),
        ] {
            let error = await #expect(throws: RepositoryError.self) { try await users.find(query) }
            #expect(error?.code == .programmingError)
            #expect(error?.message.contains("shoeSize") == true && error?.message.contains("birthday") == true)
        }
    }

    @Test("A damaged user among the results is an error")
    func damagedUser() async throws {
        let store = MemoryDataStore()
        try await store.put(["birthday": .string("yesterday")], "users", "me")
        try await store.put(["birthday": .string("2011-08-01")], "users", "other")
        let users = try UserRepository(store)
        let error = await #expect(throws: RepositoryError.self) {
            try await users.find(Query(where: .exists(\.birthday)))
        }
        #expect(error?.code == .corrupted && error?.message.contains("users/me") == true)
        // A record that the index excludes is not decoded.
        #expect(try await users.find(Query(where: \.birthday == Birthday("2011-08-01"))).entities.count == 1)
    }
}
