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
    var lastEntries: String? {
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
        let memory = IndexMemory.of(transaction.backend)
        return try memory.withIndexText(of: value) { text in
            guard let entries = try memory.entries(of: self, text, in: transaction) else { return false }
            try transaction.forEachBytes(in: Scan(stored: entries, ids: IDRange(prefix: text))) { entry, record in
                try body(Key(stored: Index.target(entry, after: text.count), in: collection), record)
                return .next
            }
            return true
        }
    }
}
