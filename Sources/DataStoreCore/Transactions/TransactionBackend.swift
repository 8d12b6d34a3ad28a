/// What a store implements to be read: the few operations under a ``ReadTransaction``.
///
/// A backend is used by one thread at a time and only while the store runs a transaction's closure.
public protocol ReadBackend: AnyObject {
    /// The record of a key, or nil where it is not there.
    func record(for key: Key) throws(DataStoreError) -> Record?

    /// Shows records in the order of the scan until there are no more or `visit` says to stop.
    func scan(_ scan: Scan, _ visit: (Key, Record) -> Scan.Step) throws(DataStoreError)
}

/// What a store implements to be written: the few operations under a ``WriteTransaction``.
public protocol WriteBackend: ReadBackend {
    /// Puts a record under a key, in place of the one that was there. The record was validated before.
    func put(_ record: Record, for key: Key) throws(DataStoreError)

    /// Removes the record of a key.
    ///
    /// - Returns: whether there was one.
    func remove(_ key: Key) throws(DataStoreError) -> Bool
}

extension ReadBackend {
    /// A scan whose closure may throw: it ends at the first error.
    func scan(_ scan: Scan, throwing visit: (Key, Record) throws -> Scan.Step) throws {
        var failure: (any Error)?
        try self.scan(scan) { key, record in
            do {
                return try visit(key, record)
            } catch {
                failure = error
                return .stop
            }
        }
        if let failure { throw failure }
    }
}
