/// A transaction that changes a store. It is valid while the closure passed to ``DataStore/write(_:)`` runs.
///
/// ```swift
/// try await store.write { transaction in
///     guard try !transaction.contains(key) else { return }
///     try transaction.put(["title": .string("milk")], for: key)
/// }
/// ```
///
/// Reads see the changes of the transaction. If the closure returns, all changes are committed. If it throws, no change
/// is committed.
public struct WriteTransaction: ~Copyable, RecordReading {
    /// The backend of the store, which executes the operations.
    package let backend: any WriteBackend

    /// A read transaction on the same backend. It sees the uncommitted changes of this transaction.
    @usableFromInline package let reading: ReadTransaction

    /// The handler that maintains the indexes of changed collections, or `nil` if the transaction invalidates them.
    package var maintenance: (any RecordMaintaining)?

    /// The collections that need no further mark, because all their indexes are invalid or they have no indexes.
    var invalidated: [String] = []

    /// The numbers of records that the transaction has put or removed, by collection, and the size of the values that
    /// it has put, or `nil` if it does not count.
    package var changes: (recordCounts: [String: Int], byteCount: Int)?

    private mutating func noteChange(of key: Key, _ byteCount: Int) {
        guard changes != nil else { return }
        changes?.recordCounts[key.collection, default: 0] += 1
        changes?.byteCount += byteCount
    }

    /// Discards what the transaction knows about the indexes of a collection. Call it if something else may have
    /// changed them, e.g. a query that creates one.
    package mutating func forgetIndexes(of collection: String) {
        maintenance?.forget(collection)
        invalidated.removeAll { $0.hasSameBytes(as: collection) }
    }

    /// Creates a transaction on a backend. Call it only in an implementation of ``DataStore``.
    public init(_ backend: any WriteBackend) {
        self.backend = backend
        reading = ReadTransaction(backend)
    }

    /// Returns the record of a key, or `nil` if the key does not exist.
    public func record(for key: Key) throws(DataStoreError) -> Record? { try reading.record(for: key) }

    /// Passes a view of the record of a key to a closure. Returns the result of the closure, or `nil` if the key does
    /// not exist.
    @inlinable
    public func withView<Result>(
        of key: Key, _ body: (borrowing RecordView) throws -> Result
    ) throws -> Result? {
        try reading.withView(of: key, body)
    }

    /// Passes views of the records of a scan to a closure until the closure returns `.stop`.
    public func forEachView(in scan: Scan, _ body: (Key, borrowing RecordView) throws -> Scan.Step) throws {
        try reading.forEachView(in: scan, body)
    }

    /// Returns the names of the collections that contain records.
    public func collections() throws(DataStoreError) -> [String] { try reading.collections() }

    /// Stores a record under a key and replaces any previous record.
    ///
    /// - Parameters:
    ///   - record: The record to store.
    ///   - key: The key of the record.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidRecord`` if the record exceeds a limit
    ///   of ``Record``, or ``DataStoreError/Code/notUnique`` if a unique index rejects it.
    public mutating func put(_ record: Record, for key: Key) throws(DataStoreError) {
        try put(RecordView(record), for: key, replacing: .unread)
    }

    /// Stores a record under a key and replaces any previous record.
    ///
    /// - Parameters:
    ///   - record: The record to store.
    ///   - key: The key of the record.
    ///   - old: The previous record, if the caller has already read it. The transaction then does not read it again.
    /// - Throws: ``DataStoreError`` if the record exceeds a limit, a unique index rejects it, or the store cannot be
    ///   written.
    package mutating func put(
        _ record: borrowing RecordView, for key: Key, replacing old: borrowing ReplacedRecord
    ) throws(DataStoreError) {
        do {
            let byteCount = try record.validatedByteCount()
            if let maintenance {
                try maintenance.put(record, for: key, replacing: old, in: backend)
            } else {
                try putInvalidating(record, for: key, replacing: old)
            }
            noteChange(of: key, byteCount)
        } catch {
            throw error.adding(operation: "save a record", key: key)
        }
    }

    /// Returns the positions of keys in the order in which their records are best stored: in the order of the keys,
    /// because a store then fills one page after another. If the collection has a unique index, it is the given order,
    /// because a record may take a value that an earlier one has given up.
    package func storageOrder(of keys: [Key], in collection: String) throws(DataStoreError) -> [Int] {
        let positions = Array(keys.indices)
        guard let maintenance, keys.count > 1, try !maintenance.hasUniqueIndex(collection, in: backend) else {
            return positions
        }
        // The first bytes decide nearly all comparisons.
        let beginnings = keys.map { $0.id.withBytes { $0.prefix(at: 0, length: $0.count) } }
        return positions.sorted { left, right in
            guard beginnings[left] == beginnings[right] else { return beginnings[left] < beginnings[right] }
            let order = keys[left].id.byteOrder(to: keys[right].id)
            // The last of several records with one key remains.
            return order == 0 ? left < right : order < 0
        }
    }

    /// Removes the record of a key.
    ///
    /// - Parameter key: The key of the record.
    /// - Returns: Whether the record existed.
    /// - Throws: ``DataStoreError`` if the store cannot be written.
    @discardableResult
    public mutating func remove(_ key: Key) throws(DataStoreError) -> Bool {
        do {
            let exists =
                if let maintenance { try maintenance.remove(key, in: backend) } else { try removeInvalidating(key) }
            if exists { noteChange(of: key, 0) }
            return exists
        } catch {
            throw error.adding(operation: "remove a record", key: key)
        }
    }

    /// Removes the records of a scan.
    ///
    /// - Parameter scan: The selection of the records.
    /// - Returns: The number of removed records.
    /// - Throws: ``DataStoreError`` if the store cannot be written.
    @discardableResult
    public mutating func removeAll(in scan: Scan) throws -> Int {
        var keys: [Key] = []
        try forEachView(in: scan) { key, _ in
            keys.append(key)
            return .next
        }
        for key in keys { try remove(key) }
        if scan.ids == .all, scan.limit == nil {
            if let maintenance {
                try maintenance.didRemoveAll(of: scan.collection, in: backend)
            } else {
                try emptyIndexes(of: scan.collection)
            }
        }
        return keys.count
    }
}
