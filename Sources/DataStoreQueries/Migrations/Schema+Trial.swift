import DataStoreCore

extension Schema {
    /// The pending migrations that apply to the current records of one collection, even after these records have moved.
    /// The targets are the collections in which the records are now.
    private typealias Chain = (source: String, targets: [String], migrations: [Migration])

    /// Returns the chains of pending migrations.
    private static func chains(of pending: [Migration]) -> [Chain] {
        var chains: [Chain] = []
        for migration in pending {
            if !chains.contains(where: { $0.source.hasSameBytes(as: migration.collection) }) {
                chains.append((migration.collection, [migration.collection], []))
            }
            func isSource(_ name: String) -> Bool { name.hasSameBytes(as: migration.collection) }
            for index in chains.indices where chains[index].targets.contains(where: isSource) {
                chains[index].migrations.append(migration)
                switch migration.change {
                case .rename, .removal: chains[index].targets.removeAll(where: isSource)
                case .records, .indexAddition, .indexRemoval: break
                }
                chains[index].targets += migration.collections.dropFirst()
            }
        }
        return chains
    }

    /// Runs pending migrations one by one on the current records without changing the store, and decodes the results as
    /// the entities that the schema declares.
    ///
    /// - Parameters:
    ///   - pending: The migrations.
    ///   - transaction: A transaction of the store.
    /// - Returns: The migrations, with the number of records that each would change.
    /// - Throws: `DataStoreError` with the code `migrationFailed` if a migration fails for a record, or if its result
    ///   is not readable.
    func trial(
        of pending: [Migration], in transaction: borrowing ReadTransaction
    ) throws -> [StoredMigration] {
        var counts: [String: Int] = [:]
        for chain in Self.chains(of: pending) {
            let history = try MigrationHistory(of: chain.source, in: transaction)
            try transaction.forEach(in: Scan(stored: chain.source)) { key, record in
                var entries = [Entry(key: key, record: record)]
                for migration in chain.migrations {
                    // An interrupted migration has already changed the records up to its position.
                    if let done = history[migration], key.id.byteOrder(to: done.last) <= 0 { continue }
                    entries = try entries.flatMap { current in
                        guard current.key.collection.hasSameBytes(as: migration.collection) else { return [current] }
                        do {
                            let results = try MigrationStep.results(of: migration, for: current)
                            if results != [current] { counts[migration.id, default: 0] += 1 }
                            for result in results { try result.record.validate() }
                            return results
                        } catch let error where !(error is CancellationError) {
                            throw MigrationStep.failure(of: migration, error, current.key)
                        }
                    }
                }
                guard let last = chain.migrations.last else { return .next }
                do {
                    for entry in entries { try decode(entry) }
                } catch let error as DataStoreError where error.code == .missingSealingKey {
                    // Migrations move sealed values without opening them, so a program without the key can migrate.
                } catch {
                    throw MigrationStep.failure(of: last, error, key)
                }
                return .next
            }
        }
        return pending.map { $0.inState(.pending, recordCount: counts[$0.id] ?? 0) }
    }
}

extension Migration {
    fileprivate var id: String { "\(collection)\0\(name)" }
}
