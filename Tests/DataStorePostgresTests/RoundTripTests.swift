import DataStoreCore
import DataStorePostgres
import DataStoreQueries
import Testing
import UserProfileData
import UserProfileDomain
import UserProfileKit

@Suite(.enabled(if: PostgresSubject.server != nil, "USERPROFILE_TEST_POSTGRES names no server"))
struct RoundTripTests {
    @Test("Puts, saves, reads, scans and finds take as many round trips as documented")
    func roundTrips() async throws {
        let subject = PostgresSubject()
        let relay = try ServerRelay(to: PostgresSubject.server ?? "")
        defer { relay.stop() }
        let store = try await PostgresDataStore(subject.uri(of: relay.uri))
        let keys = try (1...3).map { try Key(collection: "c", id: "\($0)") }

        func write(_ count: Int, reading: Int) async throws -> Int {
            let (read, written) = (keys[..<reading], keys[..<count])
            return try await relay.count {
                try await store.write { transaction in
                    for key in read { _ = try transaction.record(for: key) }
                    for key in written { try transaction.put(["n": .integer(1)], for: key) }
                }
            }
        }
        #expect(try await write(1, reading: 0) == 2)
        #expect(try await write(3, reading: 0) == 2)
        #expect(try await write(1, reading: 1) == 2)
        #expect(try await write(2, reading: 2) == 3)
        #expect(try await write(2, reading: 1) == 3)
        #expect(try await relay.count { _ = try await store.record(for: keys[0]) } == 1)
        try await store.write { transaction in
            for id in 1...600 { try transaction.put(["n": .integer(1)], for: Key(collection: "n", id: "\(id)")) }
        }
        for (limit, count) in [(250, 1), (600, 2)] {
            let scan = try Scan("n", limit: limit)
            #expect(try await relay.count { _ = try await store.read { try $0.records(in: scan) } } == count)
        }

        try await SchemaStore(store, schema: Schema([User.mapping().schemaCollection])).buildIndexes()
        let users = try UserProfileStorage(store: store).users
        let user = try User(id: UserID("vision"), mailAddress: MailAddress("vision@example.com"))
        #expect(try await relay.count { try await users.save(user) } == 2)
        let profiles = UserUseCase(users: users)
        let address = try MailAddress("vision@example.com")
        #expect(try await relay.count { _ = try await profiles.users(withMailAddress: address) } == 1)
        await store.close()
    }
}
