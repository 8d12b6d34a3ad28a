/// A handler that updates the indexes of the collections that one transaction changes, and enforces their rules. It
/// maintains all indexes and rules that the store contains or a schema declares.
///
/// The handler is a class, because a query that creates an index must update the handler, but only borrows the
/// transaction.
final class RecordMaintenance: RecordMaintaining {
    /// The indexes and the rules that a transaction maintains for one collection. It is a class, because each save
    /// copies it.
    final class Collection: Sendable {
        let name: String
        /// The indexes, except for invalid ones.
        let indexes: [Index]
        /// The unique indexes that cannot check a write, because they are not complete.
        let incomplete: [Index]
        /// Whether each put scans the collection for an equal value of an incomplete index. Otherwise each put fails.
        let isSmall: Bool
        let rules: CollectionRules
        /// Whether records may refer to the records of the collection.
        let isReferredTo: Bool

        init(
            _ name: String, _ indexes: [Index], _ rules: StoreRules, incomplete: [Index] = [], isSmall: Bool = false
        ) throws(DataStoreError) {
            self.name = name
            self.indexes = indexes
            self.incomplete = incomplete
            self.isSmall = isSmall
            self.rules = try rules.rules(of: name)
            isReferredTo = !rules.references(to: name).isEmpty
        }
    }

    private(set) var schema: Schema
    /// The cache of indexes that transactions with the same schema share. It is `nil` after another schema has been
    /// added to this transaction.
    private var preparations: PreparedCollections?
    /// The clock by which records expire.
    let now: @Sendable () -> Timestamp
    /// The rules of the store, or `nil` before they are needed.
    private var rules: StoreRules?
    /// The records of this transaction that referred to a missing record when they were stored.
    var referring: [Key] = []
    /// The records of this transaction that were removed from collections to which references refer.
    var removed: [Key] = []
    /// Whether a removal fails if a record refers to the removed one, whatever the deletion rule is.
    var restrictsAll = false
    /// Whether the transaction repairs references. Other references of its records may still be broken.
    private(set) var isRepair = false
    private var maintained: [Collection] = []
    private var changes = IndexEntryChanges()

    init(_ schema: Schema, _ preparations: PreparedCollections, now: @escaping @Sendable () -> Timestamp) {
        self.schema = schema
        self.preparations = preparations
        self.now = now
    }

    /// Adds the indexes that another schema declares.
    func add(_ other: Schema) {
        schema.formUnion(other)
        follow(nil)
    }

    /// Makes this transaction repair broken references by the given rules, in place of those of the store and of the
    /// schema.
    func repair(by rules: StoreRules) {
        follow(rules)
        isRepair = true
    }

    /// Makes this transaction follow other rules, or read the rules of the store again.
    func follow(_ rules: StoreRules?) { (self.rules, preparations, maintained) = (rules, nil, []) }

    func forget(_ collection: String) { maintained.removeAll { $0.name.hasSameBytes(as: collection) } }

    func put(
        _ record: borrowing RecordView, for key: Key, replacing old: borrowing ReplacedRecord,
        in backend: any WriteBackend
    ) throws(DataStoreError) {
        var collection = try maintained(of: key.collection, in: backend)
        for sealed in collection.rules.sealed { try sealed.check(record, key) }
        var isStored = false
        while !isStored {
            do throws(DataStoreError) {
                try put(record, for: key, replacing: old, collection, in: backend)
                isStored = true
            } catch {
                // An expired record gives up its values of unique fields. Each attempt removes one record.
                guard collection.rules.expiry != nil, error.code == .notUnique, let conflict = error.conflict
                else { throw error }
                let other = Key(stored: conflict.id, in: conflict.collection)
                guard try !exists(other, in: backend), try remove(other, in: backend) else { throw error }
                // The removal of a damaged record has invalidated the indexes.
                collection = try maintained(of: key.collection, in: backend)
            }
        }
        try noteReferences(collection.rules.references, of: record, for: key, replacing: old, in: backend)
    }

    private func put(
        _ record: borrowing RecordView, for key: Key, replacing old: borrowing ReplacedRecord, _ collection: Collection,
        in backend: any WriteBackend
    ) throws(DataStoreError) {
        // A mapping has read the old record, and has already derived the fields.
        guard old.isUnread else { return try store(record, for: key, replacing: old, collection, in: backend) }
        var new = try record.record()
        if let fields = schema.derivedFields(of: key.collection) { new = fields.adding(to: new) }
        // The old record is probably encoded. Comparing encoded fields is faster than decoding them.
        let isEncoded = !collection.indexes.isEmpty && !backend.isInMemory
        try store(
            isEncoded ? RecordView(encoding: new) : RecordView(new), for: key, replacing: old, collection, in: backend)
    }

    private func store(
        _ record: borrowing RecordView, for key: Key, replacing old: borrowing ReplacedRecord, _ collection: Collection,
        in backend: any WriteBackend
    ) throws(DataStoreError) {
        if let index = collection.incomplete.last, !collection.isSmall {
            throw .indexNotReady(index.name, of: key.collection)
        }
        for index in collection.incomplete {
            try index.checkUniqueByScanning(key, record, in: ReadTransaction(backend))
        }
        let indexes = collection.indexes
        if indexes.isEmpty, old.isUnread { return try backend.put(record.record(), for: key) }
        let firstOverflows = try withChanges { changes throws(DataStoreError) in
            switch old {
            case .stored(let old): try changes.add(indexes, for: key, from: old, to: record, in: backend)
            case .missing: try changes.add(indexes, for: key, to: record, in: backend)
            case .unread:
                let exists: Void? = try ReadTransaction(backend).view(of: key) { old throws(DataStoreError) in
                    try changes.add(indexes, for: key, from: old, to: record, in: backend)
                }
                if exists == nil { try changes.add(indexes, for: key, to: record, in: backend) }
            }
            try backend.replace(record, for: key, changes)
            return changes.firstOverflows
        }
        if firstOverflows.isEmpty { return }
        try backend.changeCatalogue(of: key.collection) { catalogue in
            for name in firstOverflows { catalogue[name]?.hasOverflowEntries = true }
        }
        forget(key.collection)
    }

    /// Passes an empty list of changes to a closure. The list reuses the memory of earlier lists.
    private func withChanges<Result>(
        _ body: (inout IndexEntryChanges) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        // The list is moved out and back to avoid a copy.
        var changes = IndexEntryChanges()
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
        let collection = try maintained(of: key.collection, in: backend)
        guard try remove(key, collection.indexes, in: backend) else { return false }
        if collection.isReferredTo { removed.append(key) }
        return true
    }

    private func remove(_ key: Key, _ indexes: [Index], in backend: any WriteBackend) throws(DataStoreError) -> Bool {
        if indexes.isEmpty { return try backend.remove(key) }
        do throws(DataStoreError) {
            return try withChanges { changes throws(DataStoreError) in
                _ = try ReadTransaction(backend).view(of: key) { old throws(DataStoreError) in
                    try changes.add(indexes, for: key, removing: old)
                }
                guard try backend.remove(key) else { return false }
                try backend.replace(RecordView(Record()), for: nil, changes)
                return true
            }
        } catch {
            guard error.code == .corrupted else { throw error }
            // The index entries of a damaged record are unknown, but removing the record must still be possible.
            guard try backend.remove(key) else { return false }
            try backend.changeCatalogue(of: key.collection) { $0.invalidateAll() }
            forget(key.collection)
            return true
        }
    }

    /// Removes the entries of invalid indexes after all records of a collection have been removed, so that the store
    /// contains no values of removed records. A valid index has no entries left, because the removal of each record
    /// also removed its entries.
    func didRemoveAll(of collection: String, in backend: any WriteBackend) throws(DataStoreError) {
        let catalogue = try IndexCatalogue(of: collection, in: ReadTransaction(backend))
        for index in catalogue.indexes where index.state.isInvalid {
            _ = try backend.removeFirst(.max, of: index.state.entriesCollection)
        }
    }

    func hasUniqueIndex(_ collection: String, in backend: any WriteBackend) throws(DataStoreError) -> Bool {
        try maintained(of: collection, in: backend).indexes.contains(where: \.isUnique)
    }

    // MARK: Preparing a collection

    /// Returns a collection with its indexes and rules. The first call for a collection prepares its indexes.
    func maintained(of collection: String, in backend: any WriteBackend) throws(DataStoreError) -> Collection {
        // A linear search suffices, because a transaction changes few collections.
        for known in maintained where known.name.hasSameBytes(as: collection) { return known }
        let prepared = try prepared(collection, in: backend)
        maintained.append(prepared)
        return prepared
    }

    /// Returns the rules of the store. The first call declares the rules of the schema.
    func rules(in backend: any WriteBackend) throws(DataStoreError) -> StoreRules {
        if let rules { return rules }
        let version = backend.catalogueVersion
        if let version, let known = preparations?.rules(in: version) {
            rules = known
            return known
        }
        let stored = try StoreRules.stored(in: ReadTransaction(backend))
        if let declared = try stored.adding(schema) {
            try declared.check(of: schema, replacing: stored, at: now(), in: backend)
            try declared.put(in: backend)
            rules = declared
            return declared
        }
        if let version { preparations?.remember(stored, in: version) }
        rules = stored
        return stored
    }

    /// Declares the schema's indexes of a collection, and returns the indexes to maintain. If the collection is small,
    /// also builds indexes that are not complete.
    private func prepared(_ collection: String, in backend: any WriteBackend) throws(DataStoreError) -> Collection {
        let known = preparations?[collection]
        if let known, let version = backend.catalogueVersion, known.version == version { return known.collection }
        let rules = try rules(in: backend)
        let reading = ReadTransaction(backend)
        let stored = try reading.record(for: IndexState.catalogueKey(of: collection))
        // A failed transaction may have completed additive migrations, of which the catalogue has no trace.
        let historyKey = Key(stored: collection, in: MigrationHistory.collection)
        let history = try schema.migrations(of: collection).isEmpty ? nil : reading.record(for: historyKey)
        if let known, known.catalogue == stored, known.history == history {
            let current = try Collection(collection, known.collection.indexes, rules)
            // The completion of an additive migration does not change the version of the catalogues. If this
            // transaction has declared the rules, there is no version, because it may fail.
            let version = history == nil ? backend.catalogueVersion : nil
            preparations?.remember(.init(collection: current, catalogue: stored, history: history, version: version))
            return current
        }
        var catalogue = IndexCatalogue(of: collection, stored)
        let hasMigrated = try schema.prepareMigrations(catalogue, in: backend)
        if hasMigrated { catalogue = try IndexCatalogue(of: collection, in: reading) }
        try catalogue.requireKnown()
        let own = schema.indexes(of: collection)
        let declared = try rules.rules(of: collection).completing(own)
        let isComplete = catalogue.satisfies(declared)
        for index in declared { try catalogue.declare(index, in: backend) }
        let isWanted = catalogue.indexes.contains { !$0.isReady && $0.isUnique }
        var (incomplete, isSmall): ([Index], Bool) = ([], false)
        if !isComplete || isWanted {
            isSmall = try self.isSmall(collection, backend)
            for index in catalogue.indexes where !index.isReady {
                // In memory, a query creates an index when it needs one.
                let isWanted = backend.isInMemory ? index.isUnique : isSmall
                if isWanted, try build(index, &catalogue, backend) { continue }
                if index.isUnique { incomplete.append(index) }
            }
            try catalogue.put(in: backend)
        }
        let valid = catalogue.indexes.filter { !$0.state.isInvalid }
        let indexes = own.isEmpty ? valid : valid.map { $0.naming(declared) }
        // A transaction that completed migrations may fail.
        let prepared = try Collection(collection, indexes, rules, incomplete: incomplete, isSmall: isSmall)
        if isComplete, !isWanted, !hasMigrated {
            preparations?.remember(.init(collection: prepared, catalogue: stored, history: history))
        }
        return prepared
    }

    /// Builds an index within the current write.
    ///
    /// - Returns: Whether the index is complete. The result is `false` if records are damaged or have equal values of a
    ///   unique field. The write continues in this case, because it may repair these records.
    private func build(
        _ index: Index, _ catalogue: inout IndexCatalogue, _ backend: any WriteBackend
    ) throws(DataStoreError) -> Bool {
        do throws(DataStoreError) {
            try catalogue.build(index, in: backend)
            return true
        } catch {
            guard error.code == .notUnique || error.code == .corrupted else { throw error }
            catalogue[index.name]?.progress = .invalid
            return false
        }
    }

    private func isSmall(_ collection: String, _ backend: any WriteBackend) throws(DataStoreError) -> Bool {
        let limit = schema.indexStepCount + 1
        do throws(DataStoreError) {
            return try ReadTransaction(backend).forEach(of: collection, after: "", limit: limit) { _, _ in 0 } == nil
        } catch {
            // A damaged record is no error here, because this write may remove the record.
            guard error.code == .corrupted else { throw error }
            return true
        }
    }
}
