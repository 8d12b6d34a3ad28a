import DataStoreCore
import DataStorePostgres
import UserProfileData
import UserProfileDomain

/// The benchmark of several clients of one PostgreSQL server, which read and write records concurrently. Each client of
/// this package is a store, and each client of the peer a connection with its own thread.
struct PostgresClientBenchmark {
    private static let clientCounts = [1, 4, 16]

    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let postgres = try await PostgresStage(stage, count: count)
        var comparisons: [Comparison] = []
        for clientCount in Self.clientCounts { comparisons += try await run(clientCount, postgres) }
        try await postgres.closeAndCompare()
        return comparisons
    }

    private func run(_ clientCount: Int, _ postgres: PostgresStage) async throws -> [Comparison] {
        var stores: [PostgresDataStore] = []
        for _ in 0..<clientCount { stores.append(try await postgres.anotherStore()) }
        let connections = try (0..<clientCount).map { _ in try postgres.anotherConnection() }
        let lmdb = Array(repeating: postgres.lmdb, count: clientCount)

        let readCount = stage.operations(1000)
        let parts = try (0..<clientCount).map { _ in
            try Profiles.randomNumbers(readCount, of: count).map { number in
                try Key(collection: "users", id: Profiles.id(number).text)
            }
        }
        func read(_ stores: [some DataStore]) async throws -> Double {
            try await inParallel(stores, parts) { store, keys in
                for key in keys {
                    guard try await store.read({ try $0.record(for: key) })?.count == Profiles.fieldCount else {
                        throw Failure("\(key) has not all fields")
                    }
                }
            }
        }
        let bytes = parts.map { $0.map { Array("\($0.collection)\0\($0.id)".utf8) } }
        let reads = try await Rounds(stage.rounds(9)) {
            try await read(stores)
        } theirs: {
            try await inParallel(connections, bytes, on: ThreadExecutor()) { connection, keys in
                var byteCount = 0
                for key in keys { try connection.read(key) { byteCount += $0.count } }
                guard byteCount > 0 else { throw Failure("the peer read nothing") }
            }
        }
        let lmdbReads = try await Rounds(stage.rounds(5)) {
            try await read(stores)
        } theirs: {
            try await read(lmdb)
        }

        // Each client writes its own profiles, so none has to repeat a transaction.
        let stepCount = stage.operations(100)
        var steps: [[PutStep]] = []
        for client in 0..<clientCount {
            steps.append(
                try await PutStep.sequence((0..<stepCount).map { client * (count / clientCount) + $0 }, on: stage))
        }
        let entries = steps.map { $0.map(\.entry) }
        func put(_ stores: [some DataStore]) async throws -> Double {
            try await inParallel(stores, steps) { store, steps in
                for step in steps { try await store.write { try $0.put(step.record, for: step.key) } }
            }
        }
        let puts = try await Rounds(stage.rounds(9)) {
            try await put(stores)
        } theirs: {
            try await inParallel(connections, entries, on: ThreadExecutor()) { connection, entries in
                for entry in entries { try connection.put(entry) }
            }
        }
        let lmdbPuts = try await Rounds(stage.rounds(5)) {
            try await put(stores)
        } theirs: {
            try await put(lmdb)
        }
        for store in stores { await store.close() }
        let all = [("read", "reads", readCount, reads, lmdbReads), ("put", "puts", 2 * stepCount, puts, lmdbPuts)]
        return all.flatMap { name, unit, operations, libpq, lmdb in
            let peers = [("libpq: \(clientCount) connections", libpq), ("LMDB store, \(clientCount) tasks", lmdb)]
            return peers.map { peer, rounds in
                Comparison(
                    "postgres: \(name) with \(clientCount) clients", .perSecond(unit), peer: peer,
                    operations: clientCount * operations, rounds)
            }
        }
    }

    /// Runs a closure for each client concurrently, and returns the seconds until all have finished.
    private func inParallel<Client: Sendable, Part: Sendable>(
        _ clients: [Client], _ parts: [Part], on executor: ThreadExecutor? = nil,
        _ body: @escaping @Sendable (Client, Part) async throws -> Void
    ) async throws -> Double {
        try await Rounds.seconds {
            try await withThrowingTaskGroup { group in
                for (client, part) in zip(clients, parts) {
                    group.addTask(executorPreference: executor) { try await body(client, part) }
                }
                try await group.waitForAll()
            }
        }
    }
}
