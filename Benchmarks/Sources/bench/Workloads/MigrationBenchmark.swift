import DataStoreCore
import DataStoreLMDB
import DataStoreQueries
import Foundation

/// The benchmark of migrating all profiles of a store. The peers rewrite the same records in one transaction, and in
/// transactions of as many records as a batch. A separate process measures the memory of the migration.
struct MigrationBenchmark {
    static let migrations = [
        Migration("add a field", of: "users") { record, _ -> Record? in changed(record) }
    ]

    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let whole = try await rounds(recordsPerTransaction: count)
        let batches = try await rounds(recordsPerTransaction: 1000)
        var memory: [Double] = []
        for _ in 0..<stage.rounds(3) { memory.append(try await probe()) }
        func comparison(_ peer: String, _ goal: Goal?, _ rounds: Rounds) -> Comparison {
            Comparison(
                "migrate \(count) profiles", .perSecond("records"), peer: peer, goal: goal, operations: count, rounds)
        }
        return [
            comparison("rewriting them in one transaction", .atLeast(0.5), whole),
            comparison("rewriting them in transactions of 1000", .atLeast(0.5), batches),
            Comparison(
                "peak memory of a migration, \(count) profiles", .kibibytes, peer: "64 MiB", goal: .atMost(1),
                ours: memory, theirs: memory.map { _ in 65_536 }),
        ]
    }

    private static func changed(_ record: Record) -> Record {
        var record = record
        record["migrated"] = .bool(true)
        return record
    }

    private func rounds(recordsPerTransaction limit: Int) async throws -> Rounds {
        let count = count
        return try await Rounds(stage.rounds(5)) {
            let path = try await stage.store(count: count)
            let seconds = try await Self.use(path, Self.migrations) { store in
                try await Rounds.seconds {
                    guard try await store.migrate().map(\.recordCount) == [count] else {
                        throw Failure("not all profiles were migrated")
                    }
                }
            }
            try stage.remove(path)
            return seconds
        } theirs: {
            let path = try await stage.store(count: count)
            let seconds = try await Self.use(path, []) { store in
                try await Rounds.seconds {
                    var last: String? = ""
                    while let id = last { last = try await store.write { try Self.rewrite(&$0, after: id, limit) } }
                }
            }
            try stage.remove(path)
            return seconds
        }
    }

    /// Rewrites records, and returns the id of the last one. Returns `nil` if no record follows.
    private static func rewrite(
        _ transaction: inout WriteTransaction, after id: String, _ limit: Int
    ) throws -> String? {
        var (last, remaining) = (id, limit)
        while remaining > 0 {
            let ids = last.isEmpty ? IDRange.all : .after(last)
            let entries = try transaction.records(in: Scan("users", ids: ids, limit: min(remaining, 1000)))
            for entry in entries { try transaction.put(changed(entry.record), for: entry.key) }
            guard let entry = entries.last, entries.count == 1000 else { return nil }
            last = entry.key.id
            remaining -= entries.count
        }
        return last
    }

    private static func use<Result>(
        _ path: String, _ migrations: [Migration], _ body: (SchemaStore) async throws -> Result
    ) async throws -> Result {
        let schema = try Schema([.init("users")], migrations: migrations)
        let store = SchemaStore(try LMDBDataStore(path: path), schema: schema)
        let result = try await body(store)
        await store.close()
        return result
    }

    /// Returns the peak memory of a migration in a new process, in KiB.
    private func probe() async throws -> Double {
        let path = try await stage.store(count: count)
        let (text, status) = try await Process.output(
            of: Bundle.main.executableURL,
            [ProbeMemory.name, path, "--profiles", "\(count)", "--reads", "0", "--migrate"])
        guard status == 0, let number = text.split(separator: "\n").last.flatMap({ Double($0) }) else {
            throw Failure("the memory probe exited with \(status)")
        }
        try stage.remove(path)
        return number
    }
}
