import DataStoreCore

/// A dry run: pending migrations on the current records, one after the other, without a change of the store.
struct MigrationTrial {
    /// The migrations of the records that are in one collection now.
    private struct Chain {
        let source: String
        /// The collection that the records have reached; `nil` after they are removed.
        var target: String?
        var migrations: [Migration] = []
    }

    private let pending: [Migration]
    private var chains: [Chain] = []

    init(_ pending: [Migration]) {
        self.pending = pending
        for migration in pending {
            if !chains.contains(where: { $0.source.hasSameBytes(as: migration.collection) }) {
                chains.append(Chain(source: migration.collection, target: migration.collection))
            }
            for index in chains.indices where chains[index].target?.hasSameBytes(as: migration.collection) == true {
                chains[index].migrations.append(migration)
                switch migration.change {
                case .rename(let target): chains[index].target = target
                case .removal: chains[index].target = nil
                default: break
                }
            }
        }
    }

    /// Runs the migrations.
    ///
    /// - Returns: The migrations, with the number of records that each would process.
    /// - Throws: `DataStoreError` with the code `migrationFailed`.
    func run(in transaction: borrowing ReadTransaction) throws -> [StoredMigration] {
        var counts: [String: Int] = [:]
        for chain in chains {
            var cursors: [String: MigrationHistory.Progress] = [:]
            let history = try MigrationHistory(of: chain.source, in: transaction)
            for migration in chain.migrations { cursors[migration.name] = history[migration] }
            try transaction.forEach(in: Scan(stored: chain.source)) { key, record in
                var entry: Entry? = Entry(key: key, record: record)
                for migration in chain.migrations {
                    guard let current = entry else { break }
                    // A migration that was interrupted has changed the records up to its position.
                    if let done = cursors[migration.name], key.id.byteOrder(to: done.last) <= 0 { continue }
                    counts[migration.id, default: 0] += 1
                    entry = try MigrationStep.result(of: migration, for: current)
                    do { try entry?.record.validate() } catch {
                        throw MigrationStep.failure(of: migration, error, key)
                    }
                }
                return .next
            }
        }
        return pending.map { StoredMigration($0, .pending, recordCount: counts[$0.id] ?? 0) }
    }
}

extension Migration {
    fileprivate var id: String { "\(collection)\0\(name)" }
}
