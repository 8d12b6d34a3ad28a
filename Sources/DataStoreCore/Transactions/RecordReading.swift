/// What can be read in a transaction of either kind.
public protocol RecordReading: ~Copyable {
    /// The record of a key.
    ///
    /// - Parameter key: the key.
    /// - Returns: the record, or nil where the key is not there.
    /// - Throws: ``DataStoreError``, e.g. with the code ``DataStoreError/Code/corrupted``.
    func record(for key: Key) throws(DataStoreError) -> Record?

    /// Shows the record of a key to a closure, where it is there.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - body: reads the fields that it needs.
    /// - Returns: what the closure returned, or nil where the key is not there.
    /// - Throws: what the closure threw, or a ``DataStoreError``, e.g. with the code
    ///   ``DataStoreError/Code/corrupted``.
    func withView<Result>(of key: Key, _ body: (borrowing RecordView) throws -> Result) throws -> Result?

    /// Shows records of a collection in the order of their ids, one after the other, to a closure that reads the fields
    /// that it needs.
    ///
    /// - Parameters:
    ///   - scan: which records, and in which direction.
    ///   - body: is shown a key and its record, and says whether to go on.
    /// - Throws: what `body` threw, or a ``DataStoreError``.
    func forEachView(in scan: Scan, _ body: (Key, borrowing RecordView) throws -> Scan.Step) throws

    /// The same with the bytes of the ids, where no string is needed.
    ///
    /// - Parameters:
    ///   - scan: which records, and in which direction.
    ///   - body: is shown the bytes of an id and its record, and says whether to go on.
    /// - Throws: what `body` threw, or a ``DataStoreError``.
    func forEachBytes(in scan: Scan, _ body: (Span<UInt8>, borrowing RecordView) throws -> Scan.Step) throws

    /// Makes an index that the snapshot does not have, where the store has everything in memory.
    ///
    /// - Parameters:
    ///   - index: one that a query may use.
    ///   - collection: the collection's name.
    /// - Throws: ``DataStoreError``.
    func prepare(_ index: RecordIndex, of collection: String) throws(DataStoreError)

    /// What is known of the indexes in this snapshot, where the store remembers it from one read to the next.
    var indexMemory: IndexMemory? { get }

    /// The names of the collections that have records, in unsigned byte order. It takes a look at each, not at each record.
    ///
    /// - Returns: the names.
    /// - Throws: ``DataStoreError``.
    func collections() throws(DataStoreError) -> [String]
}

extension RecordReading where Self: ~Copyable {
    /// Shows records of a collection in the order of their ids, one after the other.
    ///
    /// - Parameters:
    ///   - scan: which records, and in which direction.
    ///   - body: is shown a key and its record, and says whether to go on.
    /// - Throws: what `body` threw, or a ``DataStoreError``.
    public func forEach(in scan: Scan, _ body: (Key, Record) throws -> Scan.Step) throws {
        try forEachView(in: scan) { key, view in
            let record: Record
            do throws(DataStoreError) {
                record = try view.record()
            } catch {
                throw error.adding(operation: "read a record", key: key)
            }
            return try body(key, record)
        }
    }

    /// Whether a key is there.
    public func contains(_ key: Key) throws(DataStoreError) -> Bool { try record(for: key) != nil }

    /// The keys and records of a scan as an array.
    ///
    /// - Parameter scan: which records, and in which order.
    /// - Returns: keys and records, all in memory at once.
    /// - Throws: ``DataStoreError``.
    public func records(in scan: Scan) throws -> [Entry] {
        var entries: [Entry] = []
        try forEach(in: scan) { key, record in
            entries.append(Entry(key: key, record: record))
            return .next
        }
        return entries
    }
}
