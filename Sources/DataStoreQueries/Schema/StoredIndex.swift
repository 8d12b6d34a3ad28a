import DataStoreCore

/// A description of an index in a store, which ``SchemaStore/indexes(countingEntries:)`` returns.
public struct StoredIndex: Hashable, Sendable {
    /// The state of an index, which decides whether queries use it.
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

    /// Creates a description of an index that this version of the library does not know.
    init(unknown name: String, of collection: String) {
        self.collection = collection
        self.name = name
        (isUnique, state, entryCount) = (false, .unknown, nil)
    }

    init(_ item: IndexCatalogue.Item, of collection: String, entryCount: Int?) {
        self.collection = collection
        self.entryCount = entryCount
        name = item.field.name
        isUnique = item.state.isUnique
        state =
            switch item.state.progress {
            case .ready: .ready
            case .through: .incomplete
            case .invalid: .invalid
            }
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
    public func indexes(countingEntries countsEntries: Bool = false) async throws -> [StoredIndex] {
        try await store.read { transaction in
            try transaction.indexedCollections().flatMap { name in
                try transaction.indexes(of: name, countingEntries: countsEntries)
            }
        }
    }
}

extension ReadTransaction {
    /// Returns the names of the collections that have indexes, even if they contain no records.
    func indexedCollections() throws(DataStoreError) -> [String] {
        var names: [String] = []
        // The scan runs backwards and ends at the record of `IndexState.lastNumber`, whose id is empty. Index entries
        // would come next, and a damaged entry must not make this function fail.
        try backend.scan(Scan(stored: IndexCatalogueRecord.collection, isReversed: true)) { key, _ in
            if key.id.isEmpty { return .stop }
            names.append(key.id)
            return .next
        }
        return names.reversed()
    }

    fileprivate func indexes(of collection: String, countingEntries: Bool) throws(DataStoreError) -> [StoredIndex] {
        var catalogue = try IndexCatalogue(of: collection, in: self)
        if backend.isInMemory {
            for item in catalogue.items where item.state.isUnique {
                try backend.createIndexInMemory(item.definition, of: collection)
            }
            catalogue = try IndexCatalogue(of: collection, in: self)
        }
        var indexes: [StoredIndex] = []
        for item in catalogue.items {
            let count = countingEntries ? try item.state.entryCount(in: self) : nil
            indexes.append(StoredIndex(item, of: collection, entryCount: count))
        }
        return indexes + catalogue.unknownNames.map { StoredIndex(unknown: $0, of: collection) }
    }
}
