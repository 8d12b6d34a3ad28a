import Synchronization

/// A lookup of the records in which an indexed field has one value. Such a lookup is the most frequent query of an
/// index, and needs neither a plan nor a sort.
///
/// A repository creates its lookups once, because finding the translation of a field in a dictionary takes as many
/// instructions as reading a record from the index. It is a class with a closure, because a translation has many
/// properties to copy.
package final class FieldLookup: Sendable {
    /// The name of the field in the entity.
    let name: String
    /// Returns the value that the lookup finds for an operand.
    let value: @Sendable (Operand) throws(DataStoreError) -> Value
    private let collection: String
    private let index: IndexDefinition
    /// The collection of entries that the last lookup without a cached state has read, or `nil` if it could not use the
    /// index. The next lookup probably reads the same collection.
    private let lastEntries = Mutex<String?>(nil)

    /// Creates a lookup of the field with a name and a mapping.
    package init(_ name: String, _ mapping: FieldMapping, in index: IndexDefinition, of collection: String) {
        self.name = name
        value = { (operand) throws(DataStoreError) in try mapping.value(operand) }
        self.collection = collection
        self.index = index
    }

    /// Passes the records with a value to a closure, in the order of their ids, if the index is complete and its
    /// entries contain the records.
    ///
    /// - Parameters:
    ///   - value: The value to find.
    ///   - transaction: The snapshot.
    ///   - body: A closure that receives a key and its record.
    /// - Returns: Whether the index was used. If the result is `false`, use a `RecordQuery`.
    /// - Throws: The error of `body`, or `DataStoreError` with the code `corrupted` if an entry is damaged.
    package func forEachView(
        of value: Value, in transaction: borrowing ReadTransaction, _ body: (Key, borrowing RecordView) throws -> Void
    ) throws -> Bool {
        guard value.isOrdered else { return false }
        let cache = transaction.backend.cache ?? QueryCache()
        var text = cache.takeText()
        value.appendIndexText(to: &text)
        guard let entries = try entries(text, cache, in: transaction) else { return false }
        try transaction.forEachBytes(in: Scan(stored: entries, ids: IDRange(prefix: text))) { entry, record in
            let id = String(decoding: entry.extracting(droppingFirst: text.count))
            try body(Key(stored: id, in: collection), record)
            return .next
        }
        cache.keep(text: text)
        return true
    }

    /// Returns the name of the collection of entries that the lookup reads, or `nil` if its index cannot be used.
    /// `text` is the index text of the value to find.
    private func entries(
        _ text: [UInt8], _ cache: QueryCache, in transaction: borrowing ReadTransaction
    ) throws -> String? {
        if let known = cache.entries(of: self) { return known }
        // A server answers the probable scan together with the query for the state of the index.
        let last = lastEntries.withLock(\.self)
        if let last { transaction.backend.prefetch(Scan(stored: last, ids: IDRange(prefix: text))) }
        let entries = try transaction.state(of: index, in: collection)?.lookupEntries
        cache.remember(entries: entries, of: self)
        if entries != last { lastEntries.withLock { $0 = entries } }
        return entries
    }
}
