package import DataStoreCore

/// A query for the records with one value of an indexed field. It is the most frequent query of an index, and needs
/// neither a plan nor a sort.
package struct IndexLookup: Sendable {
    private let collection: String
    private let index: IndexDefinition
    private let value: Value

    /// Creates a lookup.
    ///
    /// - Parameters:
    ///   - value: The value to find.
    ///   - index: The index of the field.
    ///   - collection: The name of the collection.
    package init(_ value: Value, in index: IndexDefinition, of collection: String) {
        self.collection = collection
        self.index = index
        self.value = value
    }

    /// Passes the records to a closure, in the order of their ids, if the index is complete and contains the records.
    ///
    /// - Returns: Whether the index was used. If the result is `false`, use a ``RecordQuery``.
    /// - Throws: The error of `body`, or `DataStoreError` with the code `corrupted` if an entry is damaged.
    package func forEachView(
        in transaction: borrowing ReadTransaction, _ body: (Key, borrowing RecordView) throws -> Void
    ) throws -> Bool {
        guard value.isOrdered, let state = try IndexState.of(index, of: collection, in: transaction) else {
            return false
        }
        guard state.answersLookups else { return false }
        let text = value.indexText
        try transaction.forEachBytes(in: Scan(stored: state.entries, ids: ByteRange(prefix: text).ids)) {
            entry, record in
            try body(Key(stored: IndexEntry.target(entry, after: text.count), in: collection), record)
            return .next
        }
        return true
    }
}
