import DataStoreCore

/// A handler that updates the indexes of the collections that one transaction changes. It maintains all indexes that
/// the store contains or a schema declares.
///
/// The handler is a class, because a query that creates an index must update the handler, but only borrows the
/// transaction.
final class IndexMaintenance: IndexMaintaining {
    /// The maximum number of records of a collection for which a write builds a missing index itself.
    static let inlineCount = 1000

    private var schema: Schema
    /// The cache of indexes that transactions with the same schema share. It is `nil` after another schema has been
    /// added to this transaction.
    private var plans: IndexPlans?
    private var maintained: [MaintainedCollection] = []
    private var changes = IndexChanges()

    init(_ schema: Schema, _ plans: IndexPlans) {
        self.schema = schema
        self.plans = plans
    }

    /// Adds the indexes that another schema declares.
    func add(_ other: Schema) {
        schema.formUnion(other)
        plans = nil
        maintained = []
    }

    func forget(_ collection: String) { maintained.removeAll { $0.collection.hasSameBytes(as: collection) } }

    func put(
        _ record: Record, for key: Key, replacing old: ReplacedRecord, in backend: any WriteBackend
    ) throws(DataStoreError) {
        let maintained = try maintained(key.collection, in: backend)
        if let blockingError = maintained.blockingError { throw blockingError }
        // A mapping has read the old record, and has already derived the fields.
        let record =
            if case .unread = old, let fields = schema.derivedFields(of: key.collection) {
                fields.adding(to: record)
            } else {
                record
            }
        for field in maintained.scannedFields {
            try UniqueValues.check(field, of: record, key, ReadTransaction(backend))
        }
        let indexes = maintained.indexes
        if indexes.isEmpty {
            switch old {
            case .unread: try backend.put(record, for: key)
            case .read: try backend.replace(record, for: key, IndexEntryChanges())
            }
            return
        }
        let firstOverflows = try withChanges { changes throws(DataStoreError) in
            switch old {
            case .read(let old?): try changes.add(indexes, for: key, from: RecordView(old), to: record, in: backend)
            case .read(nil): try changes.add(indexes, for: key, to: record, in: backend)
            case .unread:
                let exists: Void? = try ReadTransaction(backend).view(of: key) { old throws(DataStoreError) in
                    try changes.add(indexes, for: key, from: old, to: record, in: backend)
                }
                if exists == nil { try changes.add(indexes, for: key, to: record, in: backend) }
            }
            try changes.apply(record, for: key, to: backend)
            return changes.indexesWithFirstOverflow
        }
        if !firstOverflows.isEmpty { try noteOverflow(firstOverflows, of: key.collection, in: backend) }
    }

    /// Passes an empty list of changes to a closure. The list reuses the memory of earlier lists.
    private func withChanges<Result>(
        _ body: (inout IndexChanges) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        // The list is moved out and back to avoid a copy.
        var changes = IndexChanges()
        swap(&changes, &self.changes)
        changes.removeAll()
        defer { swap(&changes, &self.changes) }
        return try body(&changes)
    }

    func remove(_ key: Key, in backend: any WriteBackend) throws(DataStoreError) -> Bool {
        // Removing a missing record must not create an index.
        guard try backend.exists(key) else {
            try schema.check(key.collection, in: ReadTransaction(backend))
            return false
        }
        let indexes = try maintained(key.collection, in: backend).indexes
        if indexes.isEmpty { return try backend.remove(key) }
        do throws(DataStoreError) {
            return try withChanges { changes throws(DataStoreError) in
                _ = try ReadTransaction(backend).view(of: key) { old throws(DataStoreError) in
                    try changes.add(indexes, for: key, removing: old)
                }
                guard try backend.remove(key) else { return false }
                try changes.apply(Record(), for: nil, to: backend)
                return true
            }
        } catch {
            guard error.code == .corrupted else { throw error }
            // The index entries of a damaged record are unknown, but removing the record must still be possible.
            guard try backend.remove(key) else { return false }
            try invalidateAll(of: key.collection, in: backend)
            return true
        }
    }

    /// Removes the entries of invalid indexes after all records of a collection have been removed, so that the store
    /// contains no values of removed records. A valid index has no entries left, because the removal of each record
    /// also removed its entries.
    func didRemoveAll(of collection: String, in backend: any WriteBackend) throws(DataStoreError) {
        let catalogue = try IndexCatalogue(of: collection, in: ReadTransaction(backend))
        for entries in catalogue.invalidEntries { _ = try backend.removeFirst(.max, of: entries) }
    }

    private func invalidateAll(of collection: String, in backend: any WriteBackend) throws(DataStoreError) {
        var catalogue = try IndexCatalogue(of: collection, in: ReadTransaction(backend))
        catalogue.invalidateAll()
        try catalogue.put(in: backend)
        forget(collection)
    }

    private func noteOverflow(
        _ names: [String], of collection: String, in backend: any WriteBackend
    ) throws(DataStoreError) {
        var catalogue = try IndexCatalogue(of: collection, in: ReadTransaction(backend))
        for name in names { catalogue[name]?.hasOverflowEntries = true }
        try catalogue.put(in: backend)
        forget(collection)
    }

    // MARK: Preparing a collection

    /// Returns the indexes to maintain for a collection. The first call for a collection prepares its indexes.
    private func maintained(
        _ collection: String, in backend: any WriteBackend
    ) throws(DataStoreError) -> MaintainedCollection {
        // A linear search suffices, because a transaction changes few collections.
        for known in maintained where known.collection.hasSameBytes(as: collection) { return known }
        let prepared = try prepared(collection, in: backend)
        maintained.append(prepared)
        return prepared
    }

    /// Declares the schema's indexes of a collection, and returns the indexes to maintain. If the collection is small,
    /// also builds indexes that are not complete.
    private func prepared(
        _ collection: String, in backend: any WriteBackend
    ) throws(DataStoreError) -> MaintainedCollection {
        let version = backend.catalogueVersion
        if let version, let known = plans?.maintained(collection, in: version) { return known }
        var source = try planSource(collection, backend)
        if let known = plans?.maintained(collection, source, in: version) { return known }
        var catalogue = IndexCatalogue(of: collection, source.catalogue)
        let hasMigrated = try schema.prepareMigrations(catalogue, in: backend)
        if hasMigrated {
            source = try planSource(collection, backend)
            catalogue = IndexCatalogue(of: collection, source.catalogue)
        }
        if let name = catalogue.unknownNames.first {
            throw IndexCatalogueRecord.unknownIndex(name, of: collection)
        }
        let declared = schema.indexes(of: collection)
        let isComplete = catalogue.satisfies(declared)
        try catalogue.declare(declared, in: backend)
        var scannedFields: [QueryField] = []
        var blockingError: DataStoreError?
        let isWanted = catalogue.items.contains { !$0.state.isReady && $0.state.isUnique }
        if !isComplete || isWanted {
            let isSmall = try self.isSmall(collection, backend)
            for item in catalogue.items where !item.state.isReady {
                // In memory, a query creates an index when it needs one.
                let isWanted = backend.isInMemory ? item.state.isUnique : isSmall
                if isWanted, try build(item, &catalogue, backend) { continue }
                guard item.state.isUnique else { continue }
                if isSmall {
                    scannedFields.append(item.field)
                } else {
                    blockingError = IndexNotReady.error(item.field, of: collection)
                }
            }
            try catalogue.put(in: backend)
        }
        let maintained = MaintainedCollection(catalogue, scannedFields, blockingError)
        // A transaction that completed migrations may fail.
        if isComplete, !isWanted, !hasMigrated { plans?.remember(maintained, source) }
        return maintained
    }

    /// Reads the records from which the indexes of a collection are derived.
    private func planSource(
        _ collection: String, _ backend: any WriteBackend
    ) throws(DataStoreError) -> IndexPlans.Source {
        let reading = ReadTransaction(backend)
        // A failed transaction may have completed additive migrations, of which the catalogue has no trace.
        let history =
            schema.migrations(of: collection).isEmpty
            ? nil : try reading.record(for: Key(stored: collection, in: MigrationHistory.collection))
        return IndexPlans.Source(
            catalogue: try reading.record(for: IndexCatalogueRecord.key(of: collection)), history: history)
    }

    /// Builds an index within the current write.
    ///
    /// - Returns: Whether the index is complete. The result is `false` if records are damaged or have equal values of a
    ///   unique field. The write continues in this case, because it may repair these records.
    private func build(
        _ item: IndexCatalogue.Item, _ catalogue: inout IndexCatalogue, _ backend: any WriteBackend
    ) throws(DataStoreError) -> Bool {
        var state = item.state
        do throws(DataStoreError) {
            let builder = IndexBuilder(field: item.field, collection: catalogue.collection, backend: backend)
            try builder.build(&state)
            catalogue[item.field.name] = state
            return true
        } catch {
            guard error.code == .notUnique || error.code == .corrupted else { throw error }
            catalogue[item.field.name]?.progress = .invalid
            return false
        }
    }

    private func isSmall(_ collection: String, _ backend: any WriteBackend) throws(DataStoreError) -> Bool {
        var count = 0
        do throws(DataStoreError) {
            try backend.scan(Scan(stored: collection, limit: Self.inlineCount + 1)) { _, _ in
                count += 1
                return .next
            }
        } catch {
            // A damaged record is no error here, because this write may remove the record.
            guard error.code == .corrupted else { throw error }
            return true
        }
        return count <= Self.inlineCount
    }
}
