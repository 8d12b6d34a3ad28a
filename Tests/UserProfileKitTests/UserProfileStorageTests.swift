import DataStoreCore
import DataStorePostgres
import Foundation
import Testing
import UserProfileDomain
import UserProfileKit

@Suite struct UserProfileStorageTests {
    /// One location of each kind for a directory, and a schema of the server that `make test-postgres` starts.
    static let locations: [@Sendable (TemporaryDirectory) throws -> StorageLocation] =
        [{ .lmdb($0.path("store")) }, { .plist($0.path("profile.plist")) }, { _ in .memory }]
        + (ProcessInfo.processInfo.environment["USERPROFILE_TEST_POSTGRES"].map { server in
            [
                { directory in
                    let schema = "test_\(directory.path("").hashValue.magnitude)"
                    return try StorageLocation(
                        "\(server)\(server.contains("?") ? "&" : "?")schema=\(schema)", kinds: [PostgresStoreKind()])
                }
            ]
        } ?? [])

    @Test("Concurrent saves of one user lose nothing", arguments: locations.indices)
    func concurrentSaves(_ index: Int) async throws {
        let directory = try TemporaryDirectory()
        let storage = try await UserProfileStorage.open(Self.locations[index](directory))
        // 500 saves of each field, interleaved. Each save preserves the other field.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<10 {
                group.addTask {
                    for number in 0..<50 {
                        let address = try MailAddress("a\(number)@example.com")
                        try await storage.profiles.saveMailAddress(address)
                        if task == 0 { #expect(try await storage.profiles.mailAddress() != nil) }
                    }
                }
                group.addTask {
                    for number in 0..<50 {
                        let birthday = Birthday(try CalendarDate(year: 1950 + number, month: 1, day: 1))
                        try await storage.profiles.saveBirthday(birthday, now: .now)
                        if task == 0 { #expect(try await storage.profiles.birthday() != nil) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let user = try #require(try await storage.users.find(.me))
        #expect(user.mailAddress?.text == "a49@example.com")
        #expect(user.birthday?.description == "1999-01-01")
        await storage.close()
    }

    @Test("A saved forecast is read back equal", arguments: locations.indices)
    func forecasts(_ index: Int) async throws {
        let directory = try TemporaryDirectory()
        let storage = try await UserProfileStorage.open(Self.locations[index](directory))
        let (tokyo, osaka) = (try CityCode("130010"), try CityCode("270000"))
        let fixture = StoreFixtureTests.fixtures.appending(path: "../../weather/livedoor-130010.json")
        let document = Array(try Data(contentsOf: fixture))
        let saved = try await storage.forecasts.save(document: document, for: tokyo)
        try await storage.forecasts.save(document: document, for: osaka)
        #expect(try await storage.weather.find(tokyo) == saved)
        #expect(try await storage.weather.delete(tokyo))
        #expect(try await storage.weather.list().map(\.id) == [osaka])
        await storage.close()
    }

    @Test("A storage and its parts describe themselves without data", arguments: locations.indices)
    func descriptions(_ index: Int) async throws {
        let directory = try TemporaryDirectory()
        let user = User(id: try UserID("secret-id"), mailAddress: try MailAddress("secret@example.com"))
        let storage = try await UserProfileStorage.open(Self.locations[index](directory), registering: [user])
        try await storage.users.save(user)
        _ = try await storage.users.find(Query(where: .exists(\.mailAddress)))
        let parts: [Any] = [
            storage, storage.users, storage.profiles, storage.forecasts, storage.weather, storage.unitOfWork,
            storage.records, try storage.settings(), storage.users.updates(of: user.id), MemoryDataStore(),
            storage.records.updates(of: try Key(collection: "users", id: "secret-id")), [storage.users],
            try await ForecastMonitor(city: CityCode("130010"), forecasts: storage.forecasts, maxAge: .seconds(1)),
        ]
        for part in parts {
            var dumped = ""
            dump(part, to: &dumped)
            for text in ["\(part)", String(reflecting: part), dumped] {
                #expect(!text.contains("secret") && text.split(separator: "\n").count <= 2, "\(text)")
            }
        }
        try await storage.unitOfWork.perform { work in
            let text = "\(work) \(try work.repository(of: User.self))"
            #expect(!text.contains("secret"))
        }
        await storage.close()
    }

    @Test("A closed storage throws an error that names the cause")
    func closedStorage() async throws {
        let storage = try await UserProfileStorage.open(StorageLocation("memory:"))
        await storage.close()
        await #expect {
            try await storage.users.find(.me)
        } throws: { error in
            ((error as? RepositoryError)?.underlying as? DataStoreError)?.code == .closed
        }
    }

    @Test func fetchWithoutSource() async throws {
        let storage = try await UserProfileStorage.open(.memory)
        let error = await #expect(throws: RepositoryError.self) {
            try await storage.forecasts.refresh(CityCode("130010"))
        }
        #expect(error?.code == .programmingError && error.map { Failure($0).kind } == .unexpected)
        await storage.close()
    }
}
