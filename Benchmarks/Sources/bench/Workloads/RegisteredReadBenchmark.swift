import DataStoreLMDB
import UserProfileDomain
import UserProfileKit

/// The benchmark of reading profiles of an LMDB store with registered defaults. The peer is the same store without
/// defaults.
struct RegisteredReadBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let path = try await stage.store(count: count)
        let store = try LMDBDataStore(path: path)
        let plain = try UserProfileStorage(store: store).users
        let numbers = Profiles.randomNumbers(stage.operations(100_000), of: count)
        let ids = try numbers.map(Profiles.id)

        func compare(_ work: String, _ defaults: [User], goal: Goal) async throws -> Comparison {
            let users = try UserProfileStorage(store: store, registering: defaults).users
            for id in ids.prefix(1000) {
                guard try await users.find(id) == plain.find(id) else { throw Failure("\(id) differs") }
            }
            let rounds = try await Rounds(stage.rounds(15)) {
                try await read(ids, users)
            } theirs: {
                try await read(ids, plain)
            }
            return Comparison(
                "read a profile, \(work)", .nanoseconds(per: "read"), peer: "nothing registered", goal: goal,
                operations: ids.count, rounds)
        }
        // All registered profiles are also stored, so each read uses both.
        let all = try Set(numbers.prefix(1000)).map { number in try Profiles.user(number) }
        let guest = User(id: try UserID("guest"), birthday: try Birthday("2011-08-01"))
        let comparisons = [
            try await compare("another one registered", [guest], goal: .atMost(1.2)),
            try await compare("1000 registered", all, goal: .atMost(1.5)),
        ]
        await store.close()
        try stage.remove(path)
        return comparisons
    }

    private func read(_ ids: [UserID], _ users: any Repository<User>) async throws -> Double {
        var byteCount = 0
        let seconds = try await Rounds.seconds {
            for id in ids {
                guard let user = try await users.find(id) else { throw Failure("\(id)") }
                byteCount += user.id.text.utf8.count
            }
        }
        guard byteCount > 0 else { throw Failure("nothing was read") }
        return seconds
    }
}
