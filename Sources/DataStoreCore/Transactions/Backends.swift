/// The part of a store that executes the operations of a ``ReadTransaction``. Implement it to write a store of your
/// own.
///
/// ```swift
/// func view(_ key: Key, _ body: (borrowing RecordView) -> Void) -> Bool {
///     guard let record = records[key] else { return false }
///     body(RecordView(record))
///     return true
/// }
/// ```
///
/// One thread at a time uses a backend, and only while the store runs the closure of a transaction.
///
/// Implement ``view(_:_:)``, ``scan(_:_:)`` and ``collection(after:)``. The other requirements have default
/// implementations; implement them to make queries faster.
///
/// Collections whose names begin with a NUL belong to the library, which stores indexes there. A backend treats them
/// like any other collection.
public protocol ReadBackend: AnyObject {
    /// Passes a view of the record of a key to `body`, if the key exists.
    ///
    /// - Returns: Whether the key exists.
    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool

    /// Passes views of records to `visit`, in the order of the scan, until no record is left or `visit` returns
    /// `.stop`.
    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError)

    /// Returns the next collection that contains records. The names are ordered by their UTF-8 bytes.
    ///
    /// - Parameter name: The name after which to start, or `nil` to start at the first collection.
    /// - Returns: The name of the collection, or `nil` if no collection follows.
    /// - Throws: ``DataStoreError`` if the store cannot be read.
    func collection(after name: String?) throws(DataStoreError) -> String?

    /// Estimates the number of records in a collection without reading all of them. The default implementation returns
    /// `nil`.
    ///
    /// - Returns: The number and whether it is exact, or `nil` if the store cannot estimate it.
    func estimatedCount(of collection: String) throws(DataStoreError) -> (number: Int, isExact: Bool)?

    /// Passes views of records to `visit` like ``scan(_:_:)``, but with the id as UTF-8 bytes, so that no string is
    /// created for each id. The default implementation calls ``scan(_:_:)``.
    func scanBytes(_ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step) throws(DataStoreError)

    /// Announces a scan that the transaction will probably perform. A store on a server requests the first page of the
    /// scan together with the next query. The default implementation does nothing.
    func prefetch(_ scan: Scan)

    /// The cache of the snapshot, or `nil` if the store does not keep one. The default is `nil`. In a write backend, it
    /// is always `nil`, because the transaction itself changes indexes.
    var cache: QueryCache? { get }

    /// The records that the transaction sees if the store keeps all records in memory, otherwise `nil`. The default is
    /// `nil`.
    ///
    /// Such a store creates an index when a query first needs it. The query then sets this property to a tree of the
    /// same records and additional indexes, which does not count as a change to the store.
    var recordsInMemory: RecordTree? { get set }
}

/// The part of a store that executes the operations of a ``WriteTransaction``. Implement it to write a store of your
/// own.
///
/// ```swift
/// func put(_ record: Record, for key: Key) { records[key] = record }
///
/// func remove(_ key: Key) -> Bool { records.removeValue(forKey: key) != nil }
/// ```
///
/// Implement ``put(_:for:)``, ``remove(_:)`` and the functions of ``ReadBackend``. The other requirements have default
/// implementations.
public protocol WriteBackend: ReadBackend {
    /// Stores a record under a key and replaces any previous record. The transaction has already validated the record.
    func put(_ record: Record, for key: Key) throws(DataStoreError)

    /// Removes the record of a key.
    ///
    /// - Returns: Whether the record existed.
    func remove(_ key: Key) throws(DataStoreError) -> Bool

    /// Stores a record under a key and applies changes to its index entries. If `key` is `nil`, only applies the
    /// changes. The default implementation puts and removes each entry.
    ///
    /// The transaction has already read and verified the previous record under the key, so the store need not verify it
    /// again.
    func replace(_ record: borrowing RecordView, for key: Key?, _ entries: IndexEntryChanges) throws(DataStoreError)

    /// Removes up to `count` records of a collection in the order of their ids, including damaged records. The default
    /// implementation scans them.
    ///
    /// - Returns: The number of removed records. If it is less than `count`, the collection is empty.
    func removeFirst(_ count: Int, of collection: String) throws(DataStoreError) -> Int

    /// The version of the index catalogues that the transaction sees, or `nil` if it is unknown, which is the default.
    /// It becomes `nil` when the transaction changes a catalogue.
    ///
    /// Two transactions of a store with the same version see equal catalogues. A transaction can therefore reuse values
    /// that an earlier transaction derived from a catalogue, and need not read the catalogue again. The store must not
    /// use a number again for other catalogues as long as the process runs.
    var catalogueVersion: UInt64? { get }
}

extension ReadBackend {
    /// Scans the records and passes the bytes of each id.
    public func scanBytes(
        _ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) {
        try self.scan(scan) { key, view in key.id.withBytes { visit($0, view) } }
    }

    /// `nil`: the store cannot estimate the number.
    public func estimatedCount(of collection: String) throws(DataStoreError) -> (number: Int, isExact: Bool)? { nil }

    /// Does nothing.
    public func prefetch(_ scan: Scan) {}

    /// `nil`: the store keeps no cache.
    public var cache: QueryCache? { nil }

    /// `nil`: the records are not in memory. Setting the property does nothing.
    public var recordsInMemory: RecordTree? {
        get { nil }
        set {}
    }

    /// Whether the store keeps all records in memory.
    package var isInMemory: Bool { recordsInMemory != nil }

    /// Returns whether a key exists. The result is `true` for a key with a damaged record, which can still be removed.
    package func exists(_ key: Key) throws(DataStoreError) -> Bool {
        do throws(DataStoreError) {
            return try view(key) { _ in }
        } catch {
            if error.code == .corrupted { return true }
            throw error
        }
    }
}

extension WriteBackend {
    /// Removes and puts the changed entries, and puts the record.
    public func replace(
        _ record: borrowing RecordView, for key: Key?, _ entries: IndexEntryChanges
    ) throws(DataStoreError) {
        let record = try record.record()
        for entry in entries.keys(.removed) { _ = try remove(entry) }
        if let key { try put(record, for: key) }
        for entry in entries.keys(.storedWithRecord) { try put(record, for: entry) }
        for entry in entries.keys(.stored) { try put(Record(), for: entry) }
    }

    /// Scans up to `count` records of a collection in the order of their ids, removes them, and returns their number.
    public func removeFirst(_ count: Int, of collection: String) throws(DataStoreError) -> Int {
        var keys: [Key] = []
        try scan(Scan(stored: collection, limit: count)) { key, _ in
            keys.append(key)
            return .next
        }
        for key in keys { _ = try remove(key) }
        return keys.count
    }

    /// `nil`: the version is unknown.
    public var catalogueVersion: UInt64? { nil }
}
