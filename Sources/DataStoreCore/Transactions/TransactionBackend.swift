/// The part of a store that executes the operations of a ``ReadTransaction``. Implement it to write a store of your
/// own.
///
/// One thread at a time uses a backend, and only while the store runs the closure of a transaction.
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
}

/// The part of a store that executes the operations of a ``WriteTransaction``. Implement it to write a store of your
/// own.
public protocol WriteBackend: ReadBackend {
    /// Stores a record under a key and replaces any previous record. The transaction has already validated the record.
    func put(_ record: Record, for key: Key) throws(DataStoreError)

    /// Removes the record of a key.
    ///
    /// - Returns: Whether the record existed.
    func remove(_ key: Key) throws(DataStoreError) -> Bool
}
