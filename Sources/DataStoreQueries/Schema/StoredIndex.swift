import DataStoreCore

/// An index in a store and its state.
public struct StoredIndex: Hashable, Sendable {
    /// The state of an index.
    public enum State: Sendable {
        /// Complete: queries use it.
        case ready
        /// Being built.
        case incomplete
        /// Invalid, because records were changed without it. Queries do not use it until it is rebuilt.
        case invalid
        /// Declared by a newer library, in a form that this one does not know.
        case unknown
    }

    /// The name of the collection.
    public let collection: String

    /// The name of the index, e.g. `title`.
    public let name: String

    /// Whether no two records may have the same value. `false` for an unknown index.
    public let isUnique: Bool

    /// The state.
    public let state: State

    /// The number of entries; `nil` if they were not counted or the index is unknown.
    public let entryCount: Int?

    /// Describes an index that this library does not know.
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
    /// Returns the indexes that the store has, whichever program declared them, also those of collections without
    /// records.
    ///
    /// Entries are not compared with records. A store in memory first creates its unique indexes, as the first write
    /// would.
    ///
    /// - Parameter countsEntries: Whether to count the entries of each index.
    /// - Returns: The indexes, in the order of their collections.
    /// - Throws: `DataStoreError`.
    public func indexes(countingEntries countsEntries: Bool = false) async throws -> [StoredIndex] {
        try await store.read { transaction in
            try transaction.indexedCollections().flatMap { name in
                try transaction.indexes(of: name, countingEntries: countsEntries)
            }
        }
    }
}

extension ReadTransaction {
    /// Returns the names of the collections that have indexes, with or without records.
    func indexedCollections() throws(DataStoreError) -> [String] {
        var names: [String] = []
        // Backwards, to end at the record with the last number: the entries of indexes come next, and a damaged one
        // must not fail this.
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
