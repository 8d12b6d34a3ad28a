/// The reading operations that both kinds of transaction share.
public protocol RecordReading: ~Copyable {
    /// Returns the record of a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The record, or `nil` if the key does not exist.
    /// - Throws: ``DataStoreError``, e.g. with the code ``DataStoreError/Code/corrupted``.
    func record(for key: Key) throws(DataStoreError) -> Record?

    /// Calls a closure with the record of a key if the key exists.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - body: Reads the fields that it needs.
    /// - Returns: The result of `body`, or `nil` if the key does not exist.
    /// - Throws: What `body` throws, or a ``DataStoreError``, e.g. with the code ``DataStoreError/Code/corrupted``.
    func withView<Result>(of key: Key, _ body: (borrowing RecordView) throws -> Result) throws -> Result?

    /// Passes the records of a scan to a closure, which reads the fields that it needs.
    ///
    /// - Parameters:
    ///   - scan: The records and their order.
    ///   - body: Receives a key and its record, and returns whether to continue.
    /// - Throws: What `body` throws, or a ``DataStoreError``.
    func forEachView(in scan: Scan, _ body: (Key, borrowing RecordView) throws -> Scan.Step) throws

    /// Returns the names of the collections that have records, in unsigned byte order.
    ///
    /// The cost depends on the number of collections, not on the number of records.
    ///
    /// - Throws: ``DataStoreError``.
    func collections() throws(DataStoreError) -> [String]
}

extension RecordReading where Self: ~Copyable {
    /// Passes the decoded records of a scan to a closure.
    ///
    /// - Parameters:
    ///   - scan: The records and their order.
    ///   - body: Receives a key and its record, and returns whether to continue.
    /// - Throws: What `body` throws, or a ``DataStoreError``.
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

    /// Returns whether a key exists.
    public func contains(_ key: Key) throws(DataStoreError) -> Bool { try record(for: key) != nil }

    /// Returns the keys and records of a scan, and holds all of them in memory.
    ///
    /// - Parameter scan: The records and their order.
    /// - Returns: The entries.
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
