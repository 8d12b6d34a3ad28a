import DataStoreCore

/// A dry run of pending migrations. It runs them one by one on the current records without changing the store.
struct MigrationTrial {
    /// The pending migrations that apply to the current records of one collection, even after these records have moved.
    private struct Chain {
        let source: String
        /// The collection to which the records have moved, or `nil` after they have been removed.
        var target: String?
        var migrations: [Migration] = []
    }

    private let pending: [Migration]
    private let schema: Schema
    private var chains: [Chain] = []

    init(_ pending: [Migration], of schema: Schema) {
        self.pending = pending
        self.schema = schema
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

    /// Runs the migrations, and decodes the results as the entities that the schema declares.
    ///
    /// - Returns: The migrations, with the number of records that each would change.
    /// - Throws: `DataStoreError` with the code `migrationFailed` if a migration fails for a record, or if its result
    ///   is not readable.
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
                    // An interrupted migration has already changed the records up to its position.
                    if let done = cursors[migration.name], key.id.byteOrder(to: done.last) <= 0 { continue }
                    entry = try MigrationStep.result(of: migration, for: current)
                    if entry != current { counts[migration.id, default: 0] += 1 }
                    do { try entry?.record.validate() } catch {
                        throw MigrationStep.failure(of: migration, error, key)
                    }
                }
                guard let entry, let last = chain.migrations.last else { return .next }
                do {
                    try schema.decode(entry)
                } catch let error as DataStoreError where error.code == .missingSealingKey {
                    // Migrations move sealed values without opening them, so a program without the key can migrate.
                } catch {
                    throw MigrationStep.failure(of: last, error, key)
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
