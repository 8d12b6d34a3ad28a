/// A transaction on a tree: reads see the version it was made of, writes make a new one in ``tree``.
package final class RecordTreeTransaction: WriteBackend {
    /// The tree with what has been written.
    package private(set) var tree: RecordTree

    /// Whether anything was put or removed.
    package private(set) var hasChanges = false

    /// What was put or removed, where that is to be known.
    package private(set) var changedKeys: ChangedKeys?

    /// Whether ``tree`` has indexes that were made for a query: then it should be kept for the next one.
    package private(set) var hasMadeIndexes = false

    /// The record that is shown at the moment.
    private var shown: Record?

    /// Begins.
    ///
    /// - Parameters:
    ///   - tree: what there is.
    ///   - isObserved: whether somebody wants to know what is changed.
    package init(_ tree: RecordTree, isObserved: Bool = false) {
        self.tree = tree
        changedKeys = isObserved ? ChangedKeys() : nil
    }

    package func view(_ key: Key, _ body: (borrowing RecordView) -> Void) -> Bool {
        guard let record = tree.record(for: key) else { return false }
        // A view within a view has a place of its own.
        if shown != nil {
            body(RecordView(record))
        } else {
            shown = record
            body(RecordView(self))
            shown = nil
        }
        return true
    }

    package func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) {
        tree.scan(scan) { key, record in visit(key, RecordView(record)) }
    }

    package func collection(after name: String?) -> String? { tree.collection(after: name) }

    package func put(_ record: Record, for key: Key) {
        tree.put(record, for: key)
        note(key)
    }

    package func remove(_ key: Key) -> Bool {
        guard tree.remove(key) else { return false }
        note(key)
        return true
    }

    package var makesIndexes: Bool { true }

    package func prepare(_ index: RecordIndex, of collection: String) throws(DataStoreError) {
        guard try tree.addIndex(index, of: collection) else { return }
        // The records are what they were: that is no change.
        hasMadeIndexes = true
    }

    private func note(_ key: Key) {
        hasChanges = true
        changedKeys?.insert(key)
    }

    /// Runs the closure of a write where there is no store yet, and nothing in it.
    ///
    /// - Returns: what it returned, if it changed nothing: then no store need be made. Nil where it did change something.
    package static func resultWithoutChanges<Result>(
        of body: (inout WriteTransaction) throws -> Result
    ) throws -> Result? {
        let backend = RecordTreeTransaction(RecordTree())
        var transaction = WriteTransaction(backend)
        let result = try body(&transaction)
        return backend.hasChanges ? nil : result
    }
}

/// The record that is shown, so that showing one makes no object.
extension RecordTreeTransaction: RecordSource {
    package func value(of name: String) -> Value? { shown?[name] }

    package func record() -> Record { shown ?? Record() }
}
