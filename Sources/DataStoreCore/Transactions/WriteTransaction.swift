/// A change of a store, for as long as the closure that was given to ``DataStore/write(_:)`` runs.
///
/// It sees what it has written itself. All of it is committed when the closure returns, nothing when it throws.
public struct WriteTransaction: ~Copyable, RecordReading {
    private let backend: any WriteBackend
    @usableFromInline let reading: ReadTransaction

    /// Wraps what a store writes with. Only stores make transactions.
    public init(_ backend: any WriteBackend) {
        self.backend = backend
        reading = ReadTransaction(backend)
    }

    /// The record of a key, or nil where it is not there.
    public func record(for key: Key) throws(DataStoreError) -> Record? { try reading.record(for: key) }

    /// Shows the record of a key to a closure, where it is there.
    @inlinable
    public func withView<Result>(
        of key: Key, _ body: (borrowing RecordView) throws -> Result
    ) throws -> Result? {
        try reading.withView(of: key, body)
    }

    /// Shows records of a collection in the order of their ids, one after the other.
    public func forEachView(in scan: Scan, _ body: (Key, borrowing RecordView) throws -> Scan.Step) throws {
        try reading.forEachView(in: scan, body)
    }

    /// Puts a record under a key, in place of the one that was there.
    ///
    /// - Parameters:
    ///   - record: the record.
    ///   - key: the key.
    /// - Throws: ``DataStoreError``, with the code ``DataStoreError/Code/invalidRecord`` where the record is past a
    ///   limit of ``Record``.
    public mutating func put(_ record: Record, for key: Key) throws(DataStoreError) {
        do {
            try record.validate()
            try backend.put(record, for: key)
        } catch {
            throw error.adding(operation: "save a record", key: key)
        }
    }

    /// Removes the record of a key.
    ///
    /// - Parameter key: the key.
    /// - Returns: whether there was one.
    /// - Throws: ``DataStoreError``.
    @discardableResult
    public mutating func remove(_ key: Key) throws(DataStoreError) -> Bool {
        do {
            return try backend.remove(key)
        } catch {
            throw error.adding(operation: "remove a record", key: key)
        }
    }

    /// Removes the records of a scan.
    ///
    /// - Parameter scan: which records.
    /// - Returns: how many there were.
    /// - Throws: ``DataStoreError``.
    @discardableResult
    public mutating func removeAll(in scan: Scan) throws -> Int {
        var keys: [Key] = []
        try forEachView(in: scan) { key, _ in
            keys.append(key)
            return .next
        }
        for key in keys { try remove(key) }
        return keys.count
    }
}
