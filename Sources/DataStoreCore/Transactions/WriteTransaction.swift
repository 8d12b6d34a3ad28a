/// A transaction that changes a store, valid while the closure passed to ``DataStore/write(_:)`` runs.
///
/// Reads see what the transaction has written. All changes are committed when the closure returns, and none if it
/// throws.
public struct WriteTransaction: ~Copyable, RecordReading {
    /// The store's side of the transaction.
    package let backend: any NativeWriteBackend

    /// The reading half of the transaction.
    @usableFromInline package let reading: ReadTransaction

    /// The handler that maintains or invalidates the indexes of changed collections.
    package var indexes: any IndexMaintaining = IndexInvalidation()

    /// Wraps a backend. Only stores create transactions.
    public init(_ backend: any WriteBackend) { self.init(native: AdaptedWriteBackend(backend)) }

    /// Wraps a backend of this package.
    package init(native backend: any NativeWriteBackend) {
        self.backend = backend
        reading = ReadTransaction(native: backend)
    }

    /// Returns the record of a key, or `nil` if the key does not exist.
    public func record(for key: Key) throws(DataStoreError) -> Record? { try reading.record(for: key) }

    /// Calls a closure with the record of a key if the key exists.
    @inlinable
    public func withView<Result>(
        of key: Key, _ body: (borrowing RecordView) throws -> Result
    ) throws -> Result? {
        try reading.withView(of: key, body)
    }

    /// Passes the records of a scan to a closure.
    public func forEachView(in scan: Scan, _ body: (Key, borrowing RecordView) throws -> Scan.Step) throws {
        try reading.forEachView(in: scan, body)
    }

    /// Returns the names of the collections that have records.
    public func collections() throws(DataStoreError) -> [String] { try reading.collections() }

    /// Stores a record under a key and replaces any previous record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - key: The key.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidRecord`` if the record exceeds a limit
    ///   of ``Record``, or ``DataStoreError/Code/notUnique`` if a unique index rejects it.
    public mutating func put(_ record: Record, for key: Key) throws(DataStoreError) {
        try put(record, for: key, replacing: .unread)
    }

    /// Stores a record under a key. A caller that has read the old record passes it, so it is not read again.
    package mutating func put(
        _ record: Record, for key: Key, replacing old: ReplacedRecord
    ) throws(DataStoreError) {
        do {
            try record.validate()
            try indexes.put(record, for: key, replacing: old, in: backend)
        } catch {
            throw error.adding(operation: "save a record", key: key)
        }
    }

    /// Removes the record of a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: Whether the key existed.
    /// - Throws: ``DataStoreError``.
    @discardableResult
    public mutating func remove(_ key: Key) throws(DataStoreError) -> Bool {
        do {
            return try indexes.remove(key, in: backend)
        } catch {
            throw error.adding(operation: "remove a record", key: key)
        }
    }

    /// Removes the records of a scan.
    ///
    /// - Parameter scan: The records.
    /// - Returns: The number of removed records.
    /// - Throws: ``DataStoreError``.
    @discardableResult
    public mutating func removeAll(in scan: Scan) throws -> Int {
        var keys: [Key] = []
        try forEachView(in: scan) { key, _ in
            keys.append(key)
            return .next
        }
        for key in keys { try remove(key) }
        if scan.ids == .all, scan.limit == nil { try indexes.didRemoveAll(of: scan.collection, in: backend) }
        return keys.count
    }
}
