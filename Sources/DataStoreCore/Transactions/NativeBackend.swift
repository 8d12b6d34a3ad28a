/// A ``ReadBackend`` with additional operations, which only the stores of this package implement.
@usableFromInline
package protocol NativeReadBackend: ReadBackend {
    /// Passes a view of each record of a scan to a closure, with the id as UTF-8 bytes, so that no string is created
    /// for each id.
    func scanBytes(
        _ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError)

    /// The records that the transaction sees if the store keeps all records in memory, or `nil`. Such a store creates an
    /// index when a query first needs it.
    var recordsInMemory: RecordTree? { get }

    /// Replaces ``recordsInMemory`` with a tree of the same records and additional indexes. This does not count as a
    /// change to the store.
    func addIndexes(_ indexed: RecordTree)

    /// Whether the store keeps ``cache`` until the transaction moves to another snapshot.
    var keepsCache: Bool { get }

    /// The cache for the queries of this snapshot, or `nil` if none was set for this snapshot. If ``keepsCache`` is
    /// `false`, setting it has no effect.
    var cache: (any QueryCache)? { get set }

    /// Announces a scan that the transaction will probably perform. A store on a server requests the first page of the
    /// scan together with the next query. Other stores ignore the call.
    func prefetch(_ scan: Scan)
}

/// A ``WriteBackend`` with additional operations, which only the stores of this package implement.
package protocol NativeWriteBackend: NativeReadBackend, WriteBackend {
    /// The version of the index catalogues that the transaction sees, or `nil` if it is unknown. It becomes `nil` when
    /// the transaction changes a catalogue.
    var catalogueVersion: CatalogueVersion? { get }

    /// Removes up to `count` records of a collection in the order of their ids, including damaged records.
    ///
    /// - Returns: The number of removed records. If it is less than `count`, the collection is empty.
    func removeFirst(_ count: Int, of collection: String) throws(DataStoreError) -> Int

    /// Stores a record under a key and applies changes to its index entries. If `key` is `nil`, only applies the
    /// changes.
    ///
    /// An entry with the change ``IndexEntryChanges/Change/storedWithRecord`` is stored with `record`. The transaction
    /// has already read and verified the previous record under the key, so the store need not verify it again.
    func replace(_ record: Record, for key: Key?, _ entries: IndexEntryChanges) throws(DataStoreError)

    /// Raises the format version of the store to the first version that supports breaking migrations. Afterwards, a
    /// program with an older version of the library cannot open the store.
    ///
    /// If the store contains no format version, the function does nothing.
    func raiseFormatVersion() throws(DataStoreError)
}

extension NativeReadBackend {
    package var recordsInMemory: RecordTree? { nil }

    package func addIndexes(_ indexed: RecordTree) {}

    /// Whether the store keeps all records in memory.
    package var isInMemory: Bool { recordsInMemory != nil }

    package var keepsCache: Bool { false }

    package var cache: (any QueryCache)? {
        get { nil }
        set {}
    }

    package func prefetch(_ scan: Scan) {}

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

extension NativeWriteBackend {
    package var catalogueVersion: CatalogueVersion? { nil }

    package func replace(_ record: Record, for key: Key?, _ entries: IndexEntryChanges) throws(DataStoreError) {
        for entry in entries.keys(.removed) { _ = try remove(entry) }
        if let key { try put(record, for: key) }
        for entry in entries.keys(.storedWithRecord) { try put(record, for: entry) }
        for entry in entries.keys(.stored) { try put(Record(), for: entry) }
    }

    package func raiseFormatVersion() throws(DataStoreError) {}

    /// Scans up to `count` records of a collection in the order of their ids, removes them, and returns their number.
    package func removeFirst(_ count: Int, of collection: String) throws(DataStoreError) -> Int {
        var keys: [Key] = []
        try scan(Scan(stored: collection, limit: count)) { key, _ in
            keys.append(key)
            return .next
        }
        for key in keys { _ = try remove(key) }
        return keys.count
    }
}

/// An adapter that implements the operations of ``NativeReadBackend`` for a ``ReadBackend`` of another package.
class AdaptedReadBackend: NativeReadBackend {
    private let backend: any ReadBackend

    init(_ backend: any ReadBackend) { self.backend = backend }

    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool {
        try backend.view(key, body)
    }

    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        try backend.scan(scan, visit)
    }

    func collection(after name: String?) throws(DataStoreError) -> String? { try backend.collection(after: name) }

    func scanBytes(
        _ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) {
        try backend.scan(scan) { key, view in key.id.withBytes { visit($0, view) } }
    }
}

/// An adapter that implements the operations of ``NativeWriteBackend`` for a ``WriteBackend`` of another package.
final class AdaptedWriteBackend: AdaptedReadBackend, NativeWriteBackend {
    private let backend: any WriteBackend

    init(_ backend: any WriteBackend) {
        self.backend = backend
        super.init(backend)
    }

    func put(_ record: Record, for key: Key) throws(DataStoreError) { try backend.put(record, for: key) }

    func remove(_ key: Key) throws(DataStoreError) -> Bool { try backend.remove(key) }
}
