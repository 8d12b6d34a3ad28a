/// All indexes of a collection in a store: their definitions, which any program may have declared, and their states.
///
/// A catalogue is a copy of a stored record, which ``IndexState`` describes. A function that changes the catalogue
/// reads it, changes it and puts it in one transaction.
package struct IndexCatalogue: Sendable {
    let collection: String
    /// The indexes that this version of the library can maintain.
    private(set) var indexes: [Index] = []
    /// The indexes that another version of the library declared.
    private var unknown = Record()
    /// The names of the collection's breaking migrations that have begun or are complete.
    var breakingMigrations: [String] = []
    /// The record from which the catalogue was read.
    private var stored: Record

    /// Reads the indexes of a collection from a store.
    init(of collection: String, in transaction: borrowing ReadTransaction) throws(DataStoreError) {
        self.init(of: collection, try transaction.record(for: IndexState.catalogueKey(of: collection)))
    }

    /// Parses the indexes of a collection from their stored record.
    init(of collection: String, _ record: Record?) {
        self.collection = collection
        stored = record ?? Record()
        for field in stored {
            if field.isNamed(IndexState.migrationsField), let names = field.value.strings {
                breakingMigrations = names
            } else if let known = QueryField(parsing: field.name), let state = IndexState(field.value, of: known) {
                indexes.append(Index(known, state))
            } else {
                unknown[field.name] = field.value
            }
        }
    }

    /// The names of the indexes that another version of the library declared.
    var unknownNames: [String] { unknown.map(\.name) }

    /// Throws a `DataStoreError` with the code `unsupportedFormat` if another version of the library declared an index.
    func requireKnown() throws(DataStoreError) {
        if let name = unknownNames.first { throw IndexState.unknownIndex(name, of: collection) }
    }

    /// The state of the index with a name, or `nil` if no such index exists.
    subscript(name: String) -> IndexState? {
        get { index(named: name)?.state }
        set {
            indexes = indexes.compactMap { index in
                index.name.hasSameBytes(as: name) ? newValue.map { Index(index.field, $0) } : index
            }
        }
    }

    /// Returns the index with a name, or `nil` if no such index exists.
    func index(named name: String) -> Index? { indexes.first { $0.name.hasSameBytes(as: name) } }

    /// Declares an index. If the index exists, but lacks a trait of the definition (unique or covering), adds the trait
    /// and marks the index as invalid.
    mutating func declare(_ index: IndexDefinition, in backend: any WriteBackend) throws(DataStoreError) {
        if unknownNames.contains(where: { $0.hasSameBytes(as: index.name) }) {
            throw IndexState.unknownIndex(index.name, of: collection)
        }
        if let declared = self.index(named: index.name) {
            if !declared.definition.satisfies(index) { self[index.name]?.add(index) }
        } else {
            indexes.append(Index(index.field, try .begun(index, in: backend)))
        }
    }

    /// Removes up to `count` entries of an index, and the index itself if no entry is left.
    ///
    /// - Returns: Whether the index was removed.
    mutating func remove(
        _ index: Index, atMost count: Int, in backend: any WriteBackend
    ) throws(DataStoreError) -> Bool {
        if try backend.removeFirst(count, of: index.state.entriesCollection) < count {
            self[index.name] = nil
            return true
        }
        // An index without all of its entries is not used, and enforces nothing.
        self[index.name]?.uniqueness = .no
        self[index.name]?.progress = .invalid
        return false
    }

    /// Removes an index that another version of the library declared, with its entries. If the form of its state is
    /// unknown, the entries stay.
    ///
    /// - Returns: Whether the index existed.
    mutating func removeUnknown(
        _ name: String, in backend: any WriteBackend
    ) throws(DataStoreError) -> Bool {
        guard let value = unknown[name] else { return false }
        if let state = IndexState(value) { _ = try backend.removeFirst(.max, of: state.entriesCollection) }
        unknown[name] = nil
        return true
    }

    /// Returns whether the collection has all of the given indexes. Each index must be unique or covering if its
    /// definition is.
    func satisfies(_ indexes: [IndexDefinition]) -> Bool {
        indexes.allSatisfy { index(named: $0.name)?.definition.satisfies($0) == true }
    }

    /// Marks all indexes of the collection as invalid.
    mutating func invalidateAll() {
        for index in indexes { self[index.name]?.progress = .invalid }
    }

    /// Stores the definitions and states if they have changed.
    mutating func put(in backend: any WriteBackend) throws(DataStoreError) {
        var record = Record()
        for index in indexes { record[index.name] = index.state.value }
        for field in unknown { record[field.name] = field.value }
        if !breakingMigrations.isEmpty {
            record[IndexState.migrationsField] = .array(breakingMigrations.map(Value.string))
        }
        if record == stored { return }
        try backend.putOrRemove(record, for: IndexState.catalogueKey(of: collection))
        stored = record
    }
}

extension WriteBackend {
    /// Changes the index catalogue of a collection.
    func changeCatalogue(
        of collection: String, _ change: (inout IndexCatalogue) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        var catalogue = try IndexCatalogue(of: collection, in: ReadTransaction(self))
        try change(&catalogue)
        try catalogue.put(in: self)
    }

    /// Stores a record, or removes its key if the record has no fields.
    func putOrRemove(_ record: Record, for key: Key) throws(DataStoreError) {
        if record.isEmpty { _ = try remove(key) } else { try put(record, for: key) }
    }
}
