import UserProfileDomain
import UserProfileKit

/// Reads profiles by id, in random order: through the use case, and as bytes by bare calls.
struct ReadBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let (path, copy) = (try await stage.store(count: count), try await stage.store(count: count))
        let storage = try await UserProfileStorage.open(.lmdb(path))
        let reader = try BareReader(BareEnvironment(path: copy))
        let numbers = Profiles.randomNumbers(stage.operations(100_000), of: count)
        try await Self.compareAnswers(numbers.prefix(1000), storage.users, reader)

        let ids = try numbers.map(Profiles.id)
        let users = storage.users
        var (ownByteCount, byteCount) = (0, 0)
        let rounds = try await Rounds(stage.rounds(15)) {
            try await Rounds.seconds {
                for id in ids {
                    guard let user = try await users.user(id) else { throw Failure("\(id)") }
                    ownByteCount += user.id.text.utf8.count
                }
            }
        } theirs: {
            try Rounds.secondsOnThread { for id in ids { try reader.read(id.text) { byteCount += $0.count } } }
        }
        guard ownByteCount > 0, byteCount > 0 else { throw Failure("the peer read nothing") }
        await storage.close()
        try [path, copy].forEach(stage.remove)
        return [
            Comparison(
                "read a profile, \(count) profiles", .nanoseconds(per: "read"), peer: "renew, get, copy, reset",
                goal: .atMost(1.5), operations: ids.count, rounds)
        ]
    }

    /// Both must find the same: what is measured is the same work.
    static func compareAnswers(
        _ numbers: some Sequence<Int>, _ users: UserUseCase, _ reader: BareReader
    ) async throws {
        for number in numbers {
            guard let user = try await users.user(Profiles.id(number)), user == (try Profiles.user(number)) else {
                throw Failure("profile \(number) is not what was saved")
            }
            var isThere = false
            try reader.read(Profiles.id(number).text) { bytes in
                isThere = String(decoding: bytes, as: UTF8.self).contains("somebody.\(number)@mail.example.com")
            }
            guard isThere else { throw Failure("the peer does not find profile \(number)") }
        }
    }
}
