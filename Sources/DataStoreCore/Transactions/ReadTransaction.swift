/// The operations for reading records that ``ReadTransaction`` and ``WriteTransaction`` share. Use it for a function
/// that reads in both.
///
/// ```swift
/// func title(of key: Key, in transaction: borrowing some RecordReading & ~Copyable) throws -> Value? {
///     try transaction.record(for: key)?["title"]
/// }
/// ```
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

/// A snapshot of a store. It is valid while the closure passed to ``DataStore/read(_:)`` runs.
///
/// ```swift
/// let (note, count) = try await store.read { transaction in
///     (try transaction.record(for: key), try transaction.records(in: Scan("notes")).count)
/// }
/// ```
///
/// It cannot be copied, and it cannot be used after the closure returns.
public struct ReadTransaction: ~Copyable, RecordReading {
    /// The backend of the store, which executes the operations.
    @usableFromInline package let backend: any ReadBackend

    /// Creates a transaction on a backend. Call it only in an implementation of ``DataStore``.
    @inlinable
    public init(_ backend: any ReadBackend) { self.backend = backend }

    /// Returns the record of a key, or `nil` if the key does not exist.
    public func record(for key: Key) throws(DataStoreError) -> Record? {
        do {
            return try view(of: key) { (view) throws(DataStoreError) in try view.record() }
        } catch {
            throw error.adding(operation: "read a record", key: key)
        }
    }

    /// Returns a copy of the record of a key, in the form in which the store keeps it, for a write that replaces it.
    package func replaced(_ key: Key) throws(DataStoreError) -> ReplacedRecord {
        var replaced = ReplacedRecord.missing
        do {
            try view(of: key) { (view) throws(DataStoreError) in replaced = .stored(try view.owned()) }
        } catch {
            throw error.adding(operation: "read a record", key: key)
        }
        return replaced
    }

    /// Passes a view of the record of a key to a closure. Returns the result of the closure, or `nil` if the key does
    /// not exist.
    @inlinable @inline(__always)
    public func withView<Result>(
        of key: Key, _ body: (borrowing RecordView) throws -> Result
    ) throws -> Result? {
        var result: Result?
        var failure: (any Error)?
        do {
            _ = try backend.view(key) { view in
                do { result = try body(view) } catch { failure = error }
            }
        } catch {
            throw error.adding(operation: "read a record", key: key)
        }
        if let failure { throw failure }
        // Moves the result out of the variable instead of copying it.
        return result.take()
    }

    /// Returns the names of the collections that contain records.
    public func collections() throws(DataStoreError) -> [String] {
        var names: [String] = []
        var last: String?
        while let name = try backend.collection(after: last) {
            // Collections whose names begin with a NUL belong to the library.
            if name.utf8.first != 0 { names.append(name) }
            last = name
        }
        return names
    }

    /// Estimates the number of records in a collection without reading all of them. Use it to show the size of a
    /// large collection: a million records take milliseconds.
    ///
    /// ```swift
    /// if let size = try transaction.estimatedCount(of: "notes") {
    ///     print(size.isExact ? "\(size.number) notes" : "about \(size.number) notes")
    /// }
    /// ```
    ///
    /// - Returns: The number and whether it is exact, or `nil` if the store cannot estimate it. Expired records count.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidKey`` if the name is invalid, or another
    ///   code if the store cannot be read.
    public func estimatedCount(of collection: String) throws(DataStoreError) -> (number: Int, isExact: Bool)? {
        try Key.validate(collection: collection)
        if let records = backend.recordsInMemory { return (records.count(of: collection), true) }
        return try backend.estimatedCount(of: collection)
    }

    /// Passes views of the records of a scan to a closure until the closure returns `.stop`.
    @inlinable @inline(__always)
    public func forEachView(in scan: Scan, _ body: (Key, borrowing RecordView) throws -> Scan.Step) throws {
        // The scan ends at the first error.
        var failure: (any Error)?
        try backend.scan(scan) { key, view in
            do {
                return try body(key, view)
            } catch {
                failure = error
                return .stop
            }
        }
        if let failure { throw failure }
    }
}

extension ReadTransaction {
    /// Passes the id of each record of a scan, as UTF-8 bytes, and a view of the record to a closure until the closure
    /// returns `.stop`.
    ///
    /// - Returns: The last result of the closure, or `.next` if the scan has no records.
    @inlinable @inline(__always) @discardableResult
    package func forEachBytes(
        in scan: Scan, _ body: (Span<UInt8>, borrowing RecordView) throws -> Scan.Step
    ) throws -> Scan.Step {
        var failure: (any Error)?
        var step = Scan.Step.next
        try backend.scanBytes(scan) { id, view in
            do {
                step = try body(id, view)
            } catch {
                failure = error
                step = .stop
            }
            return step
        }
        if let failure { throw failure }
        return step
    }

    /// Passes views of the records of a scan to a closure that throws only a `DataStoreError`.
    package func scan(
        _ scan: Scan, _ visit: (Key, borrowing RecordView) throws(DataStoreError) -> Scan.Step
    ) throws(DataStoreError) {
        var failure: DataStoreError?
        try backend.scan(scan) { key, view in
            do throws(DataStoreError) {
                return try visit(key, view)
            } catch {
                failure = error
                return .stop
            }
        }
        if let failure { throw failure }
    }

    /// Passes the id of each record of a scan to a closure, as UTF-8 bytes.
    @inlinable
    package func forEachID(in scan: Scan, _ visit: (Span<UInt8>) -> Void) throws(DataStoreError) {
        try backend.scanBytes(scan) { id, _ in
            visit(id)
            return .next
        }
    }

    /// Passes a view of the record of a key to a closure that throws only ``DataStoreError``. Returns the result of the
    /// closure, or `nil` if the key does not exist.
    @inlinable @inline(__always) @discardableResult
    package func view<Result>(
        of key: Key, _ body: (borrowing RecordView) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result? {
        var result: Result?
        var failure: DataStoreError?
        _ = try backend.view(key) { view in
            do throws(DataStoreError) { result = try body(view) } catch { failure = error }
        }
        if let failure { throw failure }
        return result.take()
    }
}
