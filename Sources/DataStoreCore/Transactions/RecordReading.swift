/// The operations for reading records that ``ReadTransaction`` and ``WriteTransaction`` share.
public protocol RecordReading: ~Copyable {
    /// Returns the record of a key.
    ///
    /// - Parameter key: The key of the record.
    /// - Returns: The record, or `nil` if the key does not exist.
    /// - Throws: ``DataStoreError`` if the store cannot be read, e.g. with the code ``DataStoreError/Code/corrupted``.
    func record(for key: Key) throws(DataStoreError) -> Record?

    /// Passes a view of the record of a key to a closure, if the key exists. The view decodes only the requested
    /// fields.
    ///
    /// - Parameters:
    ///   - key: The key of the record.
    ///   - body: A closure that reads the fields that it needs.
    /// - Returns: The result of `body`, or `nil` if the key does not exist.
    /// - Throws: The error of `body`, or a ``DataStoreError`` if the store cannot be read.
    func withView<Result>(of key: Key, _ body: (borrowing RecordView) throws -> Result) throws -> Result?

    /// Passes views of the records of a scan to a closure. A view decodes only the requested fields.
    ///
    /// - Parameters:
    ///   - scan: The selection of the records and their order.
    ///   - body: A closure that receives a key and a view of its record, and returns whether to continue.
    /// - Throws: The error of `body`, or a ``DataStoreError`` if the store cannot be read.
    func forEachView(in scan: Scan, _ body: (Key, borrowing RecordView) throws -> Scan.Step) throws

    /// Returns the names of the collections that contain records, ordered by their UTF-8 bytes.
    ///
    /// The cost depends on the number of collections, not on the number of records.
    ///
    /// - Throws: ``DataStoreError`` if the store cannot be read.
    func collections() throws(DataStoreError) -> [String]
}

extension RecordReading where Self: ~Copyable {
    /// Passes the decoded records of a scan to a closure.
    ///
    /// - Parameters:
    ///   - scan: The selection of the records and their order.
    ///   - body: A closure that receives a key and its record, and returns whether to continue.
    /// - Throws: The error of `body`, or a ``DataStoreError`` if the store cannot be read.
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

    /// Returns whether a key exists. The function reads and decodes the record.
    ///
    /// - Throws: ``DataStoreError`` if the store cannot be read, e.g. with the code ``DataStoreError/Code/corrupted``
    ///   if the record is damaged.
    public func contains(_ key: Key) throws(DataStoreError) -> Bool { try record(for: key) != nil }

    /// Returns the keys and records of a scan. All of them are loaded into memory.
    ///
    /// - Parameter scan: The selection of the records and their order.
    /// - Returns: The entries in the order of the scan.
    /// - Throws: ``DataStoreError`` if the store cannot be read.
    public func records(in scan: Scan) throws -> [Entry] {
        var entries: [Entry] = []
        try forEach(in: scan) { key, record in
            entries.append(Entry(key: key, record: record))
            return .next
        }
        return entries
    }
}
