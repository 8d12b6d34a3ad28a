/// One batch of a migration, which runs in one transaction. The transaction also stores the progress of the migration.
struct MigrationStep {
    let migration: Migration
    /// The maximum number of records in the batch.
    let batchCount: Int
    let backend: any WriteBackend

    private var reading: ReadTransaction { ReadTransaction(backend) }

    /// Runs the batch.
    ///
    /// - Returns: The number of records that the migration has processed in all batches so far, and whether the
    ///   migration is complete. The number is `nil` if another program has completed the migration.
    func run(_ transaction: inout WriteTransaction) throws -> (count: Int?, isComplete: Bool) {
        var history = try MigrationHistory(of: migration.collection, in: reading)
        if try hasApplied(history) { return (nil, true) }
        if history[migration] == nil {
            try markBreaking()
            if case .rename(let target) = migration.change { try moveDefinitions(to: target) }
            if let (old, new) = migration.renamedField {
                let rules = try StoreRules.stored(in: reading).renamingSealed(old, of: migration.collection, to: new)
                if let rules { try transaction.replaceRules(with: rules) }
            }
        }
        var progress = history[migration] ?? (last: "", count: 0, hasMovedRecords: false)
        let isComplete = try migrateRecords(&progress, &transaction) && changeIndexes()
        transaction.forgetIndexes(of: migration.collection)
        if isComplete {
            try finish()
        } else {
            history[migration] = progress
            try history.put(in: backend)
        }
        return (progress.count, isComplete)
    }

    /// Completes the migration of a collection without records.
    func finishEmpty() throws(DataStoreError) {
        if case .indexAddition = migration.change {
            // The migration only declares the index. The store builds it as any other index.
            _ = try changeIndexes()
        } else {
            // An invalid index can have more entries of former records than one batch removes.
            while try !changeIndexes() {}
        }
        try finish()
    }

    /// Adds a derived field to all records of a collection within the current write, if the records are few.
    ///
    /// - Returns: Whether the migration is complete.
    func deriveIfSmall() throws(DataStoreError) -> Bool {
        guard migration.isDerivation else { return false }
        var entries: [Entry] = []
        let limit = backend.isInMemory ? nil : Schema.empty.indexStepCount + 1
        try reading.scan(Scan(stored: migration.collection, limit: limit)) { key, view throws(DataStoreError) in
            let record = try DataStoreError.adding("migrate the store", key) { () throws(DataStoreError) in
                try view.record()
            }
            entries.append(Entry(key: key, record: record))
            return .next
        }
        if let limit, entries.count == limit { return false }
        let maintenance = RecordMaintenance(.empty, PreparedCollections(), now: { .now })
        for entry in entries {
            let record = migration.deriving(in: entry).record
            if record == entry.record { continue }
            try maintenance.put(RecordView(record), for: entry.key, replacing: .read(entry.record), in: backend)
        }
        try finish()
        return true
    }

    /// Stores the completion of the migration in the history of each changed collection.
    private func finish() throws(DataStoreError) {
        try markBreaking()
        for collection in migration.collections {
            var history = try MigrationHistory(of: collection, in: reading)
            guard !history.hasApplied(migration) else { continue }
            history[migration] = nil
            try history.put(in: backend)
        }
    }

    private func hasApplied(_ history: MigrationHistory) throws(DataStoreError) -> Bool {
        guard migration.isDerivation else { return history.hasApplied(migration) }
        return try migration.hasAddedField(
            history, IndexCatalogue(of: migration.collection, in: reading), reading)
    }

    /// Marks the migration as breaking, unless it is additive. A program that does not declare a breaking migration
    /// cannot open the store. If such a program already has the store open, its next write to a changed collection
    /// fails.
    private func markBreaking() throws(DataStoreError) {
        // A store in memory compares the records to find out whether a field is derived.
        if migration.isAdditive || migration.isDerivation && backend.isInMemory { return }
        for collection in migration.collections {
            try backend.changeCatalogue(of: collection) { $0.breakingMigrations.appendMissing([migration.name]) }
        }
    }

    // MARK: Records

    /// Processes the next records, if the migration changes records.
    ///
    /// - Returns: Whether all records have been processed.
    private func migrateRecords(
        _ progress: inout MigrationHistory.Progress, _ transaction: inout WriteTransaction
    ) throws -> Bool {
        if migration.change.body == nil { return true }
        let (entries, isLast) = try next(after: progress.last)
        for entry in entries {
            do {
                // An earlier batch has moved a record to the key, and migrated it.
                if progress.hasMovedRecords, try mark(entry.key, false) { continue }
                let results = try Self.results(of: migration, for: entry)
                try replace(entry, by: results, &transaction)
                for new in results {
                    guard !isLast, let last = entries.last, isAhead(new.key, of: last.key) else { continue }
                    _ = try mark(new.key, true)
                    progress.hasMovedRecords = true
                }
            } catch let error where !(error is CancellationError) {
                throw Self.failure(of: migration, error, entry.key)
            }
        }
        progress.count += entries.count
        if let last = entries.last { progress.last = last.key.id }
        return isLast
    }

    /// Returns the next records in the order of their ids, and whether they are the last ones.
    private func next(after last: String) throws(DataStoreError) -> (entries: [Entry], isLast: Bool) {
        let isInMemory = backend.isInMemory
        let limit = isInMemory ? nil : batchCount
        var entries: [Entry] = []
        do throws(DataStoreError) {
            let last = try reading.forEach(of: migration.collection, after: last, limit: limit) {
                key, view throws(DataStoreError) in
                let record = try DataStoreError.adding("read a record", key) { () throws(DataStoreError) in
                    try view.record()
                }
                entries.append(Entry(key: key, record: record))
                return isInMemory ? 0 : try record.validatedByteCount()
            }
            return (entries, last == nil)
        } catch {
            throw Self.failure(of: migration, error)
        }
    }

    private func replace(_ old: Entry, by new: [Entry], _ transaction: inout WriteTransaction) throws {
        // The old record is removed first, because a new record may have its value of a unique field.
        if let kept = new.first(where: { $0.key == old.key }) {
            if kept.record != old.record {
                try transaction.put(RecordView(kept.record), for: old.key, replacing: .read(old.record))
            }
        } else {
            try transaction.remove(old.key)
        }
        for new in new where new.key != old.key {
            if try backend.exists(new.key) {
                throw DataStoreError(
                    .notUnique, "the record \(new.key) already exists and is not overwritten", key: old.key)
            }
            try transaction.put(RecordView(new.record), for: new.key, replacing: .missing)
        }
    }

    /// Returns the records that a migration creates from a record, without storing them.
    static func results(of migration: Migration, for entry: Entry) throws -> [Entry] {
        let results = try migration.change.body?(entry.record, entry.key) ?? [entry]
        for result in results where !migration.changes(result.key.collection) {
            throw DataStoreError(
                .misuse,
                "\(result.key) is in another collection; name it in the migration with into:, or use "
                    + "renameCollection", key: entry.key)
        }
        return results.map(migration.deriving)
    }

    /// Returns an error which states that a migration failed, with its name and the key of the record. An error that
    /// concerns the store and not a record, e.g. with the code `full`, is returned unchanged.
    static func failure(of migration: Migration, _ error: any Error, _ key: Key? = nil) -> DataStoreError {
        let cause = error as? DataStoreError
        let codes: [DataStoreError.Code] = [.notUnique, .invalidRecord, .invalidKey, .corrupted, .misuse]
        if let cause, !codes.contains(cause.code) { return cause }
        let place = (key?.description ?? cause?.key).map { " at \($0)" } ?? ""
        let (name, collection) = (migration.name.debugDescription, migration.collection.escapingControlCharacters)
        return DataStoreError(
            .migrationFailed,
            "the migration \(name) of \(collection) failed\(place); its batch was rolled back: \(error)",
            operation: "migrate the store", key: key, underlying: error)
    }

    // MARK: Moved records

    /// Returns whether a later batch will process the record of `key`. The current batch ends with the record of
    /// `last`.
    private func isAhead(_ key: Key, of last: Key) -> Bool {
        key.collection.hasSameBytes(as: migration.collection) && last.id.byteOrder(to: key.id) < 0
    }

    /// Marks a key to which this batch has moved a record, so that a later batch skips it, or removes the mark.
    /// ``MigrationHistory/movedCollection`` contains the marks.
    ///
    /// - Returns: Whether the key had the mark.
    private func mark(_ key: Key, _ isMoved: Bool) throws(DataStoreError) -> Bool {
        let key = Key(stored: key.id, in: MigrationHistory.movedCollection)
        var mark = try reading.record(for: key) ?? [:]
        let wasMoved = mark[migration.collection] != nil
        if wasMoved == isMoved { return wasMoved }
        mark[migration.collection] = isMoved ? .bool(true) : nil
        try backend.putOrRemove(mark, for: key)
        return wasMoved
    }

    // MARK: Indexes

    /// Changes the indexes of the collection.
    ///
    /// - Returns: Whether the change is complete.
    private func changeIndexes() throws(DataStoreError) -> Bool {
        switch migration.change {
        case .records: true
        case .rename, .removal: try removeIndexes()
        case .indexRemoval(let name): try removeIndexes { $0.hasSameBytes(as: name) }
        case .indexAddition(let index): try declare(index)
        }
    }

    /// Declares the indexes of the changed collection for another collection, too, and moves its rules to it. The
    /// library builds the indexes afterwards.
    private func moveDefinitions(to target: String) throws(DataStoreError) {
        let old = try IndexCatalogue(of: migration.collection, in: reading)
        var new = try IndexCatalogue(of: target, in: reading)
        try old.requireKnown()
        for index in old.indexes { try new.declare(index.definition, in: backend) }
        try new.put(in: backend)
        let rules = try StoreRules.stored(in: reading)
        if !rules.isEmpty { try rules.renaming(migration.collection, to: target).put(in: backend) }
    }

    /// Removes the indexes whose names meet a condition.
    ///
    /// If an index may have more entries than one batch, removes one batch of entries, marks the index as invalid and
    /// stops.
    ///
    /// - Returns: Whether all of these indexes are removed. If `false`, a later batch must continue.
    private func removeIndexes(where isRemoved: (String) -> Bool = { _ in true }) throws(DataStoreError) -> Bool {
        var catalogue = try IndexCatalogue(of: migration.collection, in: reading)
        let limit = backend.isInMemory ? Int.max : batchCount
        var isComplete = true
        for index in catalogue.indexes where isRemoved(index.name) {
            isComplete = try catalogue.remove(index, atMost: limit, in: backend)
            if !isComplete { break }
        }
        try catalogue.put(in: backend)
        return isComplete
    }

    /// Declares an index. A store in memory builds a unique index at once, and any other index when a query needs it.
    ///
    /// - Returns: Whether the migration is complete. If `false`, separate steps must build the index.
    private func declare(_ index: IndexDefinition) throws(DataStoreError) -> Bool {
        var catalogue = try IndexCatalogue(of: migration.collection, in: reading)
        try catalogue.declare(index, in: backend)
        if backend.isInMemory, index.isUnique, let stored = catalogue.index(named: index.name) {
            do throws(DataStoreError) {
                try catalogue.build(stored, in: backend)
            } catch {
                throw Self.failure(of: migration, error)
            }
        }
        try catalogue.put(in: backend)
        // In memory, a query creates other indexes when it needs them.
        return backend.isInMemory || catalogue[index.name]?.isReady == true
    }
}
