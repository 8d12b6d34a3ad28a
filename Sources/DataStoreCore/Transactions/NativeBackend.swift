/// A ``ReadBackend`` with the operations that only the stores of this package implement.
@usableFromInline
package protocol NativeReadBackend: ReadBackend {
    /// Passes ids as bytes, so that no `String` is created for an index entry.
    func scanBytes(
        _ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError)

    /// What queries have cached about this snapshot; `nil` if the store keeps nothing between reads.
    var cache: SnapshotCache? { get }
}

/// A ``WriteBackend`` with the operations that only the stores of this package implement.
package protocol NativeWriteBackend: NativeReadBackend, WriteBackend {
    /// Removes the first `count` records of a collection, damaged ones included.
    ///
    /// - Returns: the number of removed records; less than `count` if the collection is empty afterwards.
    func removeFirst(_ count: Int, of collection: String) throws(DataStoreError) -> Int

    /// Stores one record under several keys. The transaction has read the old records, so their bytes are not verified again.
    func replace(_ record: Record, for keys: [Key]) throws(DataStoreError)
}

extension NativeReadBackend {
    package var cache: SnapshotCache? { nil }
}

extension NativeWriteBackend {
    package func replace(_ record: Record, for keys: [Key]) throws(DataStoreError) {
        for key in keys { try put(record, for: key) }
    }

    /// Removes the records that a scan finds.
    package func removeFirst(_ count: Int, of collection: String) throws(DataStoreError) -> Int {
        var keys: [Key] = []
        try scan(Scan(kept: collection, limit: count)) { key, _ in
            keys.append(key)
            return .next
        }
        for key in keys { _ = try remove(key) }
        return keys.count
    }
}

/// Gives a backend of another package the operations of a native one.
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

/// Gives a writing backend of another package the operations of a native one.
final class AdaptedWriteBackend: AdaptedReadBackend, NativeWriteBackend {
    private let backend: any WriteBackend

    init(_ backend: any WriteBackend) {
        self.backend = backend
        super.init(backend)
    }

    func put(_ record: Record, for key: Key) throws(DataStoreError) { try backend.put(record, for: key) }

    func remove(_ key: Key) throws(DataStoreError) -> Bool { try backend.remove(key) }
}
