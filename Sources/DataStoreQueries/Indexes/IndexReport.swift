/// A description of an index in a store, which ``SchemaStore/indexes(countingEntries:)`` returns. A check of the
/// indexes returns it with the result of comparing the entries with the records.
///
/// ```swift
/// for index in try await storage.records.indexes() where index.state == .invalid {
///     print(index.collection, index.name)     // rebuildIndexes() repairs it
/// }
/// ```
public struct IndexReport: Hashable, Sendable {
    /// The state of an index, which decides whether queries use it.
    ///
    /// ```swift
    /// let isFast = try await storage.records.indexes().allSatisfy { $0.state == .ready }
    /// ```
    public enum State: Sendable {
        /// The index is complete, and queries use it.
        case ready
        /// The index is being built. Queries do not use it yet.
        case incomplete
        /// The index is invalid, because a write changed records without updating it. Queries do not use it until it is
        /// rebuilt.
        case invalid
        /// A newer version of the library declared the index in a form that this version does not know.
        case unknown
    }

    /// The name of the collection.
    public let collection: String

    /// The name of the index, e.g. `title`.
    public let name: String

    /// Whether two records must have different values. `false` for an unknown index.
    public let isUnique: Bool

    /// The state of the index.
    public let state: State

    /// The number of entries, or `nil` if they were not counted or the index is unknown.
    public let entryCount: Int?

    /// The name of the index that this program declares on the same fields in another form, e.g. after the type of a
    /// property has changed. It is `nil` if no index replaces this one. Remove an index
    /// with a replacement with ``SchemaStore/removeIndex(of:named:)``, unless another program uses it.
    public fileprivate(set) var replacement: String?

    /// A sentence that names the command which removes the index, or `nil` if no index replaces this one. If the
    /// program does not declare the collection, a later index on the same fields may replace it.
    package fileprivate(set) var advice: String?

    /// The number of entries that are missing or contain an outdated record. It is 0 unless a check has compared the
    /// entries with the records.
    package private(set) var missingCount = 0

    /// The number of entries that correspond to no record. An entry with an outdated record counts here, too.
    package private(set) var surplusCount = 0

    /// Whether a check has found no difference between the entries and the records. The check ignores records that an
    /// unfinished build has not reached. An invalid index counts as a match, because no query uses it.
    package var matchesRecords: Bool { missingCount == 0 && surplusCount == 0 }

    /// Creates a description of an index that this version of the library does not know.
    init(unknown name: String, of collection: String) {
        self.collection = collection
        self.name = name
        (isUnique, state, entryCount) = (false, .unknown, nil)
    }

    init(_ index: Index, of collection: String, entryCount: Int?) {
        self.collection = collection
        self.entryCount = entryCount
        name = index.name
        isUnique = index.isUnique
        state = index.isReady ? .ready : index.state.isInvalid ? .invalid : .incomplete
    }

    /// Compares the entries of an index with the records, and calls `progress` with the number of records that have
    /// been compared, after every 1,000 records.
    init(
        comparing index: Index, of collection: String, in transaction: borrowing ReadTransaction,
        _ progress: (Int) -> Void
    ) throws {
        let entryCount = try index.entryCount(in: transaction)
        self.init(index, of: collection, entryCount: entryCount)
        guard state != .invalid else { return }
        var (expected, recordCount) = (0, 0)
        try transaction.forEachView(in: Scan(stored: collection)) { key, view in
            guard index.hasReached(key.id) else { return .stop }
            for entry in try index.validEntries(of: view, id: key.id) {
                expected += 1
                let key = Key(stored: String(decoding: entry, as: UTF8.self), in: index.state.entriesCollection)
                let matches = try transaction.withView(of: key) { content in
                    try !index.isCovering || content.record() == index.content(of: entry, view.record())
                }
                if matches != true { missingCount += 1 }
            }
            recordCount += 1
            if recordCount.isMultiple(of: 1000) { progress(recordCount) }
            return .next
        }
        surplusCount = entryCount - (expected - missingCount)
    }
}

extension Index {
    /// The number of the index. A later index of the store has a greater one.
    fileprivate var number: Int {
        Int(state.entriesCollection.dropFirst(IndexState.entriesPrefix.count), radix: 36) ?? 0
    }

    /// Returns the number of entries of the index.
    fileprivate func entryCount(in transaction: borrowing ReadTransaction) throws(DataStoreError) -> Int {
        var count = 0
        try transaction.forEachID(in: Scan(stored: state.entriesCollection)) { _ in count += 1 }
        return count
    }
}

extension SchemaStore {
    /// Returns all indexes of the store, including those of other programs and of collections without records.
    ///
    /// The entries are not compared with the records. If the store keeps its records in memory, the function first
    /// builds the unique indexes, as the first write does.
    ///
    /// - Parameter countsEntries: Whether to count the entries of each index.
    /// - Returns: The indexes, ordered by collection.
    /// - Throws: `DataStoreError` if the store cannot be read.
    public func indexes(countingEntries countsEntries: Bool = false) async throws -> [IndexReport] {
        try await store.read { transaction in
            try transaction.indexedCollections().flatMap { name in
                try transaction.indexes(of: name, schema.indexes(of: name), countingEntries: countsEntries)
            }
        }
    }
}

extension ReadTransaction {
    /// Returns the names of the collections that have indexes, even if they contain no records.
    func indexedCollections() throws(DataStoreError) -> [String] {
        var names: [String] = []
        // The scan runs backwards and ends at `IndexState.storeCatalogue`, whose id is empty. Index entries would come
        // next, and a damaged entry must not make this function fail.
        try backend.scan(Scan(stored: IndexState.catalogues, isReversed: true)) { key, _ in
            if key.id.isEmpty { return .stop }
            names.append(key.id)
            return .next
        }
        return names.reversed()
    }

    fileprivate func indexes(
        of collection: String, _ declared: [IndexDefinition], countingEntries: Bool
    ) throws(DataStoreError) -> [IndexReport] {
        for index in try IndexCatalogue(of: collection, in: self).indexes where index.isUnique {
            try backend.createIndexInMemory(index.definition, of: collection)
        }
        let catalogue = try IndexCatalogue(of: collection, in: self)
        let needed = try rules().rules(of: collection).completing(declared)
        let indexes = try catalogue.indexes.map { index throws(DataStoreError) in
            let count = countingEntries ? try index.entryCount(in: self) : nil
            var report = IndexReport(index, of: collection, entryCount: count)
            if !declared.isEmpty {
                report.replacement = needed.replacement(of: index.field)
                report.advice = report.replacement.map {
                    Index.advice(removing: index.name, of: collection, replacedBy: $0)
                }
            } else if !needed.contains(where: { $0.field == index.field }) {
                let later = catalogue.indexes.last { $0.field.paths == index.field.paths && $0.number > index.number }
                report.advice = later.map { Index.advice(removing: index.name, of: collection, before: $0.name) }
            }
            return report
        }
        return indexes + catalogue.unknownNames.map { IndexReport(unknown: $0, of: collection) }
    }
}
