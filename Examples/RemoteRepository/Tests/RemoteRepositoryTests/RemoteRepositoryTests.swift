import AsyncHTTPClient
import DataStoreTesting
import Hummingbird
import HummingbirdTesting
import ProfileRoutes
import RemoteRepository
import Testing
import UserProfileKit

/// Tests of the repository with a service on a loopback port, whose users are in memory.
@Suite struct RemoteRepositoryTests {
    private func withService(_ body: @Sendable (RemoteRepository) async throws -> Void) async throws {
        let storage = try await UserProfileStorage.open(.memory)
        let application = Application(responder: ProfileRoutes(storage).router().buildResponder())
        try await application.test(.live) { client in
            try await body(RemoteRepository("http://localhost:\(#require(client.port))"))
        }
        await storage.close()
    }

    @Test("A repository over HTTP fulfills the contract", arguments: RepositoryConformance.all)
    func contract(_ requirement: RepositoryConformance) async throws {
        try await withService { users in
            try await requirement.check {
                try await users.deleteAll()
                return users
            }
        }
    }

    @Test("A query for more users than fit on a page reads several pages")
    func severalPages() async throws {
        try await withService { users in
            for number in 0..<1001 { try await users.save(User(id: UserID("\(number)"))) }
            let page = try await users.find(Query(sort: [.descending(\.id)], limit: 1001))
            #expect(page.entities.map(\.id) == page.entities.map(\.id).sorted(by: >))
            #expect(page.entities.count == 1001 && page.next != nil)
            #expect(try await users.list().count == 1001)
            #expect(try await users.deleteAll { $0.id.text.utf8.count == 4 } == 1)
            #expect(try await users.count() == 1000)
        }
    }

    @Test("A birthday in the future is rejected, with the reason of the service")
    func futureBirthday() async throws {
        try await withService { users in
            let user = User(id: .me, birthday: try Birthday("9999-01-01"))
            let error = await #expect(throws: RepositoryError.self) { try await users.save(user) }
            #expect(error?.code == .programmingError && error?.message.contains("is in the future") == true)
            #expect(try await users.find(.me) == nil)
        }
    }

    @Test("A service that does not respond is unavailable")
    func noService() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(configuration: configuration)
        // No service listens on port 1.
        let users = RemoteRepository("http://127.0.0.1:1", client: client)
        let error = await #expect(throws: RepositoryError.self) { try await users.find(.me) }
        #expect(error?.code == .unavailable)
        try await client.shutdown()
    }
}
