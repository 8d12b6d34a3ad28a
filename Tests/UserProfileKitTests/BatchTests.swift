import DataStoreTesting
import Foundation
import Testing
import UserProfileDomain
import UserProfileKit

/// Tests of the order in which the entities of one call are stored.
@Suite struct BatchTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("Users saved in any order make a file as small as sorted ones")
    func fileSize() async throws {
        var random = SeededGenerator()
        print("batches: seed \(random.seed)")
        let users = try (0..<3000).map { User(id: try UserID("user \(10_000 + $0)")) }
        func fileSize(_ name: String, _ users: [User]) async throws -> Int {
            let location = StorageLocation.lmdb(directory.path(name))
            try await UserProfileStorage.open(location).closing { storage in
                try await storage.users.save(contentsOf: users)
                #expect(try await storage.users.count() == users.count)
            }
            let path = directory.path("\(name)/data.mdb")
            return try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        }
        let sorted = try await fileSize("sorted", users)
        #expect(try await fileSize("shuffled", users.shuffled(using: &random)) == sorted)
    }

    /// In the order of their ids, the user `a` would come first.
    @Test("A user can take an address that an earlier one gives up", arguments: ["lmdb", "plist", "memory"])
    func movedAddress(_ kind: String) async throws {
        let location = kind == "memory" ? .memory : try StorageLocation("\(kind):\(directory.path("store"))")
        let (one, other) = (try MailAddress("one@example.com"), try MailAddress("other@example.com"))
        try await UserProfileStorage.open(location, isMailAddressUnique: true).closing { storage in
            try await storage.users.save(User(id: UserID("b"), mailAddress: one))
            let moved = [
                User(id: try UserID("b"), mailAddress: other), User(id: try UserID("a"), mailAddress: one),
            ]
            try await storage.users.save(contentsOf: moved)
            #expect(try await storage.users.list() == moved.reversed())
        }
    }
}
