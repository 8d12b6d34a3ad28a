import UserProfileDomain
import UserProfileKit

/// The benchmark of a read as the number of profiles grows by factors of ten, from a thousand to the given number. The
/// increase is compared with the increase for liblmdb.
struct GrowthBenchmark {
    private static let first = 1000

    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        var comparisons: [Comparison] = []
        var small: Rounds?
        for count in sequence(first: Self.first, next: { $0 < count ? min($0 * 10, count) : nil }) {
            let (path, copy) = (try await stage.store(count: count), try await stage.store(count: count))
            let storage = try await UserProfileStorage.open(.lmdb(path), buildsIndexes: false)
            let reader = try BareReader(BareEnvironment(path: copy))
            let numbers = Profiles.randomNumbers(stage.operations(100_000), of: count)
            try await ReadBenchmark.compareResults(numbers.prefix(1000), storage.users, reader)
            let ids = try numbers.map(Profiles.id)
            let rounds = try await Rounds(stage.rounds(11)) {
                try await ReadBenchmark.readInTask(ids, storage.users)
            } theirs: {
                var byteCount = 0
                let seconds = try Rounds.secondsOnThread {
                    for id in ids { try reader.read(id.text) { byteCount += $0.count } }
                }
                guard byteCount > 0 else { throw Failure("the peer read nothing") }
                return seconds
            }
            comparisons.append(
                Comparison(
                    "growth: read a profile, \(count) profiles", .nanoseconds(per: "read"), peer: "bare liblmdb",
                    operations: ids.count, rounds))
            comparisons.append(try await sqlite(ids, count, storage.users))
            await storage.close()
            try [path, copy].forEach(stage.remove)
            if let small {
                comparisons.append(
                    Comparison(
                        "growth: a read, \(Self.first) to \(count) profiles", .amount("times"), peer: "bare liblmdb",
                        goal: .atMost(1.3), ours: zip(rounds.ours, small.ours).map { $0 / $1 },
                        theirs: zip(rounds.theirs, small.theirs).map { $0 / $1 }))
            } else {
                small = rounds
            }
        }
        return comparisons
    }

    private func sqlite(_ ids: [UserID], _ count: Int, _ users: any Repository<User>) async throws -> Comparison {
        let peer = try SQLiteProfiles.make(count: count, on: stage)
        let few = ids.prefix(max(ids.count / 10, 1)).map(\.text)
        let rounds = try await Rounds(stage.rounds(5)) {
            try await ReadBenchmark.readInTask(ids, users)
        } theirs: {
            try Rounds.secondsOnThread {
                for id in few { guard try peer.read(id) != nil else { throw Failure(id) } }
            } * Double(ids.count) / Double(few.count)
        }
        try peer.remove(on: stage)
        return Comparison(
            "growth: read a profile, \(count) profiles", .nanoseconds(per: "read"), peer: "GRDB", operations: ids.count,
            rounds)
    }
}
