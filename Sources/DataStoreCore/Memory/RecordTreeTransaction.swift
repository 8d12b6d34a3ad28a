/// A transaction on a ``RecordTree``. It begins with one version, and its writes create a new version in ``tree``.
package final class RecordTreeTransaction: WriteBackend {
    // Stored properties are private, so that the compiler can prove that accesses do not overlap. Otherwise each read
    // checks for overlaps several times at run time.
    private var new: RecordTree?
    private var isChanged = false
    private var changes: ChangedKeys?
    private var isIndexed = false
    /// The number of changes that the transaction may still make.
    private var remainingCount = Int.max

    /// Whether the transaction has refused a change, because it is a trial that has made too many.
    package private(set) var isStopped = false

    /// The version of the tree with which the transaction began.
    package let old: RecordTree

    /// The version of the tree that contains the writes of the transaction.
    package var tree: RecordTree { new ?? old }

    /// Whether the transaction has put or removed a record.
    package var hasChanges: Bool { isChanged }

    /// The changed keys, or `nil` if the transaction does not track them.
    package var changedKeys: ChangedKeys? { changes }

    /// Whether a query has added indexes to ``tree``. If so, the store should keep ``tree`` for later queries.
    package var hasBuiltIndexes: Bool { isIndexed }

    package var recordsInMemory: RecordTree? {
        get { tree }
        set {
            new = newValue
            isIndexed = true
        }
    }

    /// Begins a transaction.
    ///
    /// - Parameters:
    ///   - tree: The version of the tree to begin with.
    ///   - isObserved: Whether to track the changed keys for observers.
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

    package func collection(after name: String?) -> String? { tree.collection(after: name) }

    package func put(_ record: Record, for key: Key) throws(DataStoreError) {
        var tree = tree
        tree.put(record, for: key)
        new = tree
        try note(key)
    }

    package func remove(_ key: Key) throws(DataStoreError) -> Bool {
        var tree = tree
        guard tree.remove(key) else { return false }
        new = tree
        try note(key)
        return true
    }

    private func note(_ key: Key) throws(DataStoreError) {
        isChanged = true
        changes?.insert(key)
        guard remainingCount > 0 else {
            isStopped = true
            throw .missing()
        }
        remainingCount -= 1
    }

    /// Begins the trial of a first write, on an empty tree. A closure that makes more than 100 changes, e.g. an import,
    /// fails there, before it needs much time and memory.
    package static func trial() -> RecordTreeTransaction {
        let trial = RecordTreeTransaction(RecordTree())
        trial.remainingCount = 100
        return trial
    }

    /// Runs the closure of a write as a trial, for a store that does not exist yet.
    ///
    /// - Returns: The result of the closure, or `nil` if the closure put or removed a record, or was stopped. If it is
    ///   `nil`, the caller must create the store and run the closure again.
    package static func resultWithoutChanges<Result>(
        of body: (inout WriteTransaction) throws -> Result
    ) throws -> Result? {
        let backend = trial()
        var transaction = WriteTransaction(backend)
        do {
            let result = try body(&transaction)
            return backend.hasChanges ? nil : result
        } catch {
            if backend.isStopped { return nil }
            throw error
        }
    }
}
