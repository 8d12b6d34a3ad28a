/// What a store implements to be read: the few operations under a ``ReadTransaction``.
///
/// A backend is used by one thread at a time and only while the store runs a transaction's closure.
///
/// Keys whose collection begins with a NUL are the port's own: there it keeps indexes (``RecordIndex``). A store keeps them
/// as it keeps others, or, where it shows its records to a person, sees to it that they are not shown and implements
/// ``prepare(_:of:)``.
public protocol ReadBackend: AnyObject {
    /// Shows the record of a key, where it is there.
    ///
    /// - Returns: whether it is there.
    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool

    /// Shows records in the order of the scan until there are no more or `visit` says to stop.
    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError)

    /// The same with the bytes of the ids: of the entries of an index no string is made. A store that has ids as bytes
    /// shows them as they are; for others it is made of ``scan(_:_:)``.
    func scanBytes(
        _ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError)

    /// The name of the first collection that has a record, in unsigned byte order; of those after a name where one is given.
    ///
    /// - Returns: nil where there is none.
    func collection(after name: String?) throws(DataStoreError) -> String?

    /// What is known of the indexes in the snapshot. A backend that is used again and again may remember it as long as the
    /// snapshot is of the same state of the store. None unless a store says otherwise; none where it is written to.
    var indexMemory: IndexMemory? { get }

    /// Whether ``prepare(_:of:)`` makes indexes: then no write need make one. It does not unless a store says otherwise.
    var makesIndexes: Bool { get }

    /// Makes an index that the snapshot does not have, where that is a matter of memory. Does nothing unless a store says
    /// otherwise.
    func prepare(_ index: RecordIndex, of collection: String) throws(DataStoreError)
}

extension ReadBackend {
    /// The bytes of the ids that ``scan(_:_:)`` shows.
    public func scanBytes(
        _ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) {
        try self.scan(scan) { key, view in
            guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
                return visit(Array(key.id.utf8).span, view)
            }
            return visit(key.id.utf8.span, view)
        }
    }

    /// None.
    public var indexMemory: IndexMemory? { nil }

    /// It does not.
    public var makesIndexes: Bool { false }

    /// Nothing.
    public func prepare(_ index: RecordIndex, of collection: String) throws(DataStoreError) {}
}

/// What a store implements to be written: the few operations under a ``WriteTransaction``.
public protocol WriteBackend: ReadBackend {
    /// Puts a record under a key, in place of the one that was there. The record was validated before.
    func put(_ record: Record, for key: Key) throws(DataStoreError)

    /// Removes the record of a key.
    ///
    /// - Returns: whether there was one.
    func remove(_ key: Key) throws(DataStoreError) -> Bool

    /// Removes the first entries of an index, also those that are damaged. A store that finds damage when it reads removes them
    /// without; for others it is made of ``ReadBackend/scan(_:_:)`` and ``remove(_:)``.
    ///
    /// - Returns: how many were removed: fewer than `count` where there are no more.
    func removeFirst(_ count: Int, of collection: String) throws(DataStoreError) -> Int
}

extension WriteBackend {
    /// Removes those that a scan shows.
    public func removeFirst(_ count: Int, of collection: String) throws(DataStoreError) -> Int {
        var keys: [Key] = []
        try scan(Scan(kept: collection, limit: count)) { key, _ in
            keys.append(key)
            return .next
        }
        for key in keys { _ = try remove(key) }
        return keys.count
    }
}
