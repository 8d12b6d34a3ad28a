package import DataStoreCore
import Synchronization

/// A lookup of the records with one value of an indexed field. Such a lookup is the most frequent query of an index,
/// and needs neither a plan nor a sort. The type is a class, so a query copies a reference instead of the definition.
package final class IndexLookup: Sendable {
    let collection: String
    let index: IndexDefinition
    private let last = Mutex<String?>(nil)

    /// The collection of entries that the last lookup without a cached state has read, or `nil` if it could not use the
    /// index. The next lookup probably reads the same collection.
    private var lastEntries: String? {
        get { last.withLock(\.self) }
        set { last.withLock { $0 = newValue } }
    }

    /// Creates a lookup.
    ///
    /// - Parameters:
    ///   - index: The index of the field.
    ///   - collection: The name of the collection.
    package init(in index: IndexDefinition, of collection: String) {
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
    /// - Returns: Whether the index was used. If the result is `false`, use a ``RecordQuery``.
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
            try body(Key(stored: Index.target(entry, after: text.count), in: collection), record)
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
        let last = lastEntries
        if let last { transaction.backend.prefetch(Scan(stored: last, ids: IDRange(prefix: text))) }
        let entries = try transaction.state(of: index, in: collection)?.lookupEntries
        cache.remember(entries: entries, of: self)
        if entries != last { lastEntries = entries }
        return entries
    }
}
