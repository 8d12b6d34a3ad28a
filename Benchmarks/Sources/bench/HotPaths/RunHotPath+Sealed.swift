import UserProfileKit
import UserProfileSealing

extension RunHotPath {
    /// Repeats an operation on users whose mail address and birthday are sealed.
    func runSealed() async throws {
        let key = try SealingKey(number: 1, bytes: Array(repeating: 7, count: 32))
        let storage = try await UserProfileStorage.open(
            .lmdb(path + "-sealed"), sealingUsers: [.searchable(\.mailAddress), .opaque(\.birthday)],
            keys: .source(SealingKeySource { _ in key }))
        if try await storage.users.count() == 0 {
            try await storage.users.save(contentsOf: (0..<profiles).map { try Profiles.user($0) })
        }
        let some = try (0..<500).map { try Profiles.user($0 * 7919 % profiles) }
        for user in some { try check(await storage.users.find(user.id) == user) }
        for time in 0..<times {
            let user = some[time % some.count]
            if hotPath == .sealedRead {
                if case nil = try await storage.users.find(user.id) { try check(false) }
            } else if let address = user.mailAddress {
                try check(await storage.profiles.users(withMailAddress: address).count == 1)
            }
        }
        await storage.close()
    }
}
