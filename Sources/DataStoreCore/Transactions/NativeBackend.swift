/// A ``ReadBackend`` with the operations that only the stores of this package implement.
@usableFromInline
package protocol NativeReadBackend: ReadBackend {
    /// Passes the records of a scan with their ids as bytes, so that no `String` is created for an index entry.
    func scanBytes(
        _ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError)

    /// The cache of the queries of this snapshot; `nil` if the store keeps nothing between reads.
    var cache: SnapshotCache? { get }
}

/// A ``WriteBackend`` with the operations that only the stores of this package implement.
package protocol NativeWriteBackend: NativeReadBackend, WriteBackend {
    /// Removes the first `count` records of a collection, including damaged ones.
    ///
    /// - Returns: The number of removed records; less than `count` if the collection is empty afterwards.
    func removeFirst(_ count: Int, of collection: String) throws(DataStoreError) -> Int

    /// Stores one record under a key, unless it is `nil`, and under index entries.
    ///
    /// The transaction has read the previous record of the key, so its bytes are not verified again.
    func replace(_ record: Record, for key: Key?, entries: [IndexEntryKey]) throws(DataStoreError)

    /// Removes index entries, if they exist.
    func remove(_ entries: [IndexEntryKey]) throws(DataStoreError)

    /// Raises the format version of the store to the one with breaking migrations, so that programs whose library does not
    /// know migrations do not open it. A store that derives the version from its contents, or has none, does nothing.
    func raiseFormatVersion() throws(DataStoreError)
}

/// The key of an index entry. Its id is UTF-8 bytes instead of a `String`, because each save computes several ids.
package struct IndexEntryKey {
    package let collection: String
    package let id: [UInt8]

    package init(_ id: [UInt8], in collection: String) {
        self.collection = collection
        self.id = id
    }

    /// The corresponding key of a record.
    package var key: Key { Key(stored: String(decoding: id, as: UTF8.self), in: collection) }
}

extension NativeReadBackend {
    package var cache: SnapshotCache? { nil }

    /// Returns whether a key exists. A damaged record exists, because it can be removed.
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
    package func replace(_ record: Record, for key: Key?, entries: [IndexEntryKey]) throws(DataStoreError) {
        if let key { try put(record, for: key) }
        for entry in entries { try put(record, for: entry.key) }
    }

    package func raiseFormatVersion() throws(DataStoreError) {}

    package func remove(_ entries: [IndexEntryKey]) throws(DataStoreError) {
        for entry in entries { _ = try remove(entry.key) }
    }

    /// Removes the records that a scan returns.
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

/// Adapts a backend of another package to a native one.
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

/// Adapts a writing backend of another package to a native one.
final class AdaptedWriteBackend: AdaptedReadBackend, NativeWriteBackend {
    private let backend: any WriteBackend

    init(_ backend: any WriteBackend) {
        self.backend = backend
        super.init(backend)
    }

    func put(_ record: Record, for key: Key) throws(DataStoreError) { try backend.put(record, for: key) }

    func remove(_ key: Key) throws(DataStoreError) -> Bool { try backend.remove(key) }
}
