/// A change of a store, for as long as the closure that was given to ``DataStore/write(_:)`` runs.
///
/// It sees what it has written itself. All of it is committed when the closure returns, nothing when it throws.
public struct WriteTransaction: ~Copyable, RecordReading {
    let backend: any WriteBackend
    @usableFromInline let reading: ReadTransaction
    private let indexes = IndexMaintenance()

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

    /// The same with the bytes of the ids.
    public func forEachBytes(in scan: Scan, _ body: (Span<UInt8>, borrowing RecordView) throws -> Scan.Step) throws {
        try reading.forEachBytes(in: scan, body)
    }

    /// Makes an index that the snapshot does not have, where the store has everything in memory.
    public func prepare(_ index: RecordIndex, of collection: String) throws(DataStoreError) {
        try reading.prepare(index, of: collection)
        // What is written from now on is to be in it, too.
        if backend.makesIndexes { indexes.forget(collection) }
    }

    /// What is known of the indexes in this snapshot, where the store remembers it from one read to the next.
    public var indexMemory: IndexMemory? { reading.indexMemory }

    /// Keeps indexes of a collection from now on. Those that are not named so before the collection is changed are
    /// outdated afterwards: ``RecordIndex`` says why.
    ///
    /// - Parameters:
    ///   - indexes: the indexes that the program knows.
    ///   - collection: the collection's name.
    public mutating func maintain(_ indexes: [RecordIndex], of collection: String) {
        self.indexes.know(indexes, of: collection)
    }

    /// The names of the collections that have records.
    public func collections() throws(DataStoreError) -> [String] { try reading.collections() }

    /// Puts a record under a key, in place of the one that was there.
    ///
    /// - Parameters:
    ///   - record: the record.
    ///   - key: the key.
    /// - Throws: ``DataStoreError``, with the code ``DataStoreError/Code/invalidRecord`` where the record is past a
    ///   limit of ``Record``, or ``DataStoreError/Code/notUnique`` where an index says that it would be the second one.
    public mutating func put(_ record: Record, for key: Key) throws(DataStoreError) {
        do {
            try record.validate()
            try indexes.put(record, for: key, in: backend)
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
            return try indexes.remove(key, in: backend)
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
        if scan.ids == .all, scan.limit == nil { try indexes.removeOutdated(of: scan.collection, in: backend) }
        return keys.count
    }
}
