import UserProfileDomain
import UserProfileKit

/// The benchmark of concurrent reads of profiles by id, in random order.
///
/// The peer has eight threads, each with its own transaction. This package has eight tasks, which run on the threads of
/// the concurrency runtime or on eight threads.
struct ParallelReadBenchmark {
    let stage: Stage
    let count: Int

    private static let taskCount = 8

    func run() async throws -> [Comparison] {
        let (path, copy) = (try await stage.store(count: count), try await stage.store(count: count))
        let storage = try await UserProfileStorage.open(.lmdb(path), buildsIndexes: false)
        let environment = try BareEnvironment(path: copy)
        let numbers = Profiles.randomNumbers(1000, of: count)
        try await ReadBenchmark.compareResults(numbers, storage.users, BareReader(environment))

        let readCount = stage.operations(10_000)
        let parts = try (0..<Self.taskCount).map { _ in
            try Profiles.randomNumbers(readCount, of: count).map(Profiles.id)
        }
        let threads = ThreadExecutor()
        var comparisons: [Comparison] = []
        for (name, executor) in [("tasks", nil), ("threads", threads)] {
            let rounds = try await Rounds(stage.rounds(15)) {
                try await Rounds.seconds { try await read(parts, storage.users, on: executor) }
            } theirs: {
                try await Rounds.seconds { try await read(parts, environment, on: threads) }
            }
            comparisons.append(
                Comparison(
                    "read with \(Self.taskCount) \(name), \(count) profiles", .perSecond("reads"),
                    peer: "bare: \(Self.taskCount) threads", goal: .atLeast(0.7),
                    operations: Self.taskCount * readCount,
                    rounds))
        }
        comparisons.append(try await sqlite(parts, storage.users, threads))
        await storage.close()
        try [path, copy].forEach(stage.remove)
        return comparisons
    }

    private func sqlite(
        _ parts: [[UserID]], _ users: any Repository<User>, _ threads: ThreadExecutor
    ) async throws -> Comparison {
        let peer = try SQLiteProfiles.make(count: count, on: stage)
        // The peer is much slower, so fewer reads suffice.
        let few = parts.map { $0.prefix(max($0.count / 5, 1)).map(\.text) }
        let scale = Double(parts[0].count) / Double(few[0].count)
        let rounds = try await Rounds(stage.rounds(9)) {
            try await Rounds.seconds { try await read(parts, users, on: threads) }
        } theirs: {
            try await scale
                * Rounds.seconds {
                    try await withThrowingTaskGroup { group in
                        for ids in few {
                            group.addTask(executorPreference: threads) {
                                try Rounds.onThread {
                                    for id in ids { guard try peer.read(id) != nil else { throw Failure(id) } }
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
        }
        try peer.remove(on: stage)
        return Comparison(
            "read with \(Self.taskCount) threads, \(count) profiles", .perSecond("reads"), peer: "GRDB, 8 threads",
            operations: Self.taskCount * parts[0].count, rounds)
    }

    private func read(_ parts: [[UserID]], _ users: any Repository<User>, on executor: ThreadExecutor?) async throws {
        try await withThrowingTaskGroup { group in
            for ids in parts {
                group.addTask(executorPreference: executor) {
                    for id in ids {
                        guard try await users.find(id)?.id != nil else { throw Failure("\(id)") }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func read(_ parts: [[UserID]], _ environment: BareEnvironment, on executor: ThreadExecutor) async throws {
        try await withThrowingTaskGroup { group in
            for ids in parts {
                group.addTask(executorPreference: executor) {
                    let reader = try BareReader(environment)
                    var byteCount = 0
                    for id in ids { try reader.read(id.text) { byteCount += $0.count } }
                    guard byteCount > 0 else { throw Failure("the peer read nothing") }
                }
            }
            try await group.waitForAll()
        }
    }
}
