extension Schema {
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
        var sources: [String] = []
        sources.appendMissing(pending.map(\.collection))
        for source in sources {
            let history = try MigrationHistory(of: source, in: transaction)
            try transaction.forEach(in: Scan(stored: source)) { key, record in
                var entries = [Entry(key: key, record: record)]
                var last: Migration?
                for migration in pending {
                    func applies(to entry: Entry) -> Bool {
                        entry.key.collection.hasSameBytes(as: migration.collection)
                    }
                    guard entries.contains(where: applies) else { continue }
                    last = migration
                    // An interrupted migration has already changed the records up to its position.
                    if let done = history[migration], key.id.byteOrder(to: done.last) <= 0 { continue }
                    entries = try entries.flatMap { current in
                        guard applies(to: current) else { return [current] }
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
                guard let last else { return .next }
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
