/// The reading half of a store: the operations under a ``ReadTransaction``.
///
/// A backend is used by one thread at a time, and only while the store runs a transaction's closure.
///
/// Collections whose names begin with a NUL belong to the library, which keeps indexes there. A store treats them like
/// any other collection.
public protocol ReadBackend: AnyObject {
    /// Calls `body` with the record of a key if the key exists.
    ///
    /// - Returns: Whether the key exists.
    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool

    /// Passes records to `visit`, in the order of the scan, until there are no more or `visit` returns `.stop`.
    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError)

    /// Returns the first collection name, in unsigned byte order, that has records and follows `name`.
    ///
    /// - Parameter name: The name to start after; `nil` starts at the first collection.
    /// - Returns: The name, or `nil` if no collection follows.
    /// - Throws: ``DataStoreError``.
    func collection(after name: String?) throws(DataStoreError) -> String?
}

/// The writing half of a store: the operations under a ``WriteTransaction``.
public protocol WriteBackend: ReadBackend {
    /// Stores a record under a key and replaces any previous record. The record has been validated.
    func put(_ record: Record, for key: Key) throws(DataStoreError)

    /// Removes the record of a key.
    ///
    /// - Returns: Whether the key existed.
    func remove(_ key: Key) throws(DataStoreError) -> Bool
}
