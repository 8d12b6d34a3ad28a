package import DataStoreCore

/// A transaction on a tree: reads see the version it was made of, writes make a new one in ``tree``.
package final class RecordTreeTransaction: NativeWriteBackend {
    // What is stored is private, so that the compiler sees all accesses and that none overlap: where it does not, each
    // read asks for that at run time, several times.
    private var new: RecordTree?
    private var isChanged = false
    private var changes: ChangedKeys?
    private var isIndexed = false

    /// The tree that it was made of.
    package let old: RecordTree

    /// The tree with what has been written.
    package var tree: RecordTree { new ?? old }

    /// Whether anything was put or removed.
    package var hasChanges: Bool { isChanged }

    /// What was put or removed, where that is to be known.
    package var changedKeys: ChangedKeys? { changes }

    /// Whether ``tree`` has indexes that were made for a query: then it should be kept for the next one.
    package var hasMadeIndexes: Bool { isIndexed }

    /// Begins.
    ///
    /// - Parameters:
    ///   - tree: what there is.
    ///   - isObserved: whether somebody wants to know what is changed.
    package init(_ tree: RecordTree, isObserved: Bool = false) {
        old = tree
        if isObserved { changes = ChangedKeys() }
    }

    package func view(_ key: Key, _ body: (borrowing RecordView) -> Void) -> Bool {
        let found = if let new { new.record(for: key) } else { old.record(for: key) }
        guard let record = found else { return false }
        body(RecordView(record))
        return true
    }

    package func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) {
        tree.scan(scan) { key, record in visit(key, RecordView(record)) }
    }

    package func scanBytes(_ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step) {
        tree.scan(scan) { key, record in key.id.withBytes { visit($0, RecordView(record)) } }
    }

    package func collection(after name: String?) -> String? { tree.collection(after: name) }

    package func put(_ record: Record, for key: Key) {
        var tree = tree
        tree.put(record, for: key)
        new = tree
        note(key)
    }

    package func remove(_ key: Key) -> Bool {
        var tree = tree
        guard tree.remove(key) else { return false }
        new = tree
        note(key)
        return true
    }

    /// Replaces the tree by one with the same records and more indexes. That is no change of the store.
    package func addIndexes(_ indexed: RecordTree) {
        new = indexed
        isIndexed = true
    }

    private func note(_ key: Key) {
        isChanged = true
        changes?.insert(key)
    }

    /// Runs the closure of a write where there is no store yet, and nothing in it.
    ///
    /// - Returns: what it returned, if it changed nothing: then no store need be made. Nil where it did change
    ///   something.
    package static func resultWithoutChanges<Result>(
        of body: (inout WriteTransaction) throws -> Result
    ) throws -> Result? {
        let backend = RecordTreeTransaction(RecordTree())
        var transaction = WriteTransaction(native: backend)
        let result = try body(&transaction)
        return backend.hasChanges ? nil : result
    }
}
