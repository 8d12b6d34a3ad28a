import DataStoreCore
import UserProfileDomain
import UserProfileKit
import UserProfileSealing

/// The benchmark of users whose mail address and birthday are sealed, in an LMDB store. The peer is a store without
/// sealed fields.
struct SealedBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let key = try SealingKey.random(number: 1)
        let users = try (0..<count).map { try Profiles.user($0) }
        let load = try await Rounds(stage.rounds(5)) {
            try await self.load(users, key)
        } theirs: {
            try await self.load(users, nil)
        }
        let selected = Profiles.randomNumbers(stage.operations(50_000), of: count).map { users[$0] }
        let paths = (stage.newPath(), stage.newPath())
        let (sealed, plain) = (try await open(paths.0, key), try await open(paths.1, nil))
        for storage in [sealed, plain] { try await storage.users.save(contentsOf: users) }
        let read = try await Rounds(stage.rounds(11)) {
            try await self.read(selected, sealed)
        } theirs: {
            try await self.read(selected, plain)
        }
        let find = try await Rounds(stage.rounds(11)) {
            try await self.find(selected, sealed)
        } theirs: {
            try await self.find(selected, plain)
        }
        for storage in [sealed, plain] { await storage.close() }
        try [paths.0, paths.1].forEach(stage.remove)
        return [
            Comparison(
                "read a sealed user, \(count) profiles", .microseconds(per: "read"), peer: "unsealed",
                operations: selected.count, read),
            Comparison(
                "find a sealed user by mail address, \(count) profiles", .microseconds(per: "find"), peer: "unsealed",
                operations: selected.count, find),
            Comparison(
                "load \(count) sealed users", .perSecond("users"), peer: "unsealed", goal: .atLeast(0.1),
                operations: count, load),
        ]
    }

    private func open(_ path: String, _ key: SealingKey?) async throws -> UserProfileStorage {
        try await UserProfileStorage.open(
            .lmdb(path), sealingUsers: key == nil ? [] : [.searchable(\.mailAddress), .opaque(\.birthday)],
            keys: key.map { key in .source(SealingKeySource { _ in key }) })
    }

    private func load(_ users: [User], _ key: SealingKey?) async throws -> Double {
        let path = stage.newPath()
        let storage = try await open(path, key)
        let seconds = try await Rounds.seconds { try await storage.users.save(contentsOf: users) }
        await storage.close()
        try stage.remove(path)
        return seconds
    }

    private func read(_ users: [User], _ storage: UserProfileStorage) async throws -> Double {
        try await Rounds.seconds {
            for user in users {
                guard try await storage.users.find(user.id) == user else { throw Failure("\(user.id) is another one") }
            }
        }
    }

    private func find(_ users: [User], _ storage: UserProfileStorage) async throws -> Double {
        try await Rounds.seconds {
            for user in users {
                guard let address = user.mailAddress else { throw Failure("\(user.id) has no mail address") }
                guard try await storage.profiles.users(withMailAddress: address).count == 1 else {
                    throw Failure("\(user.id) is not found")
                }
            }
        }
    }
}
