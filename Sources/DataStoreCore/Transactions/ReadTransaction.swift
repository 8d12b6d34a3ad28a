/// A snapshot of a store. It is valid while the closure passed to ``DataStore/read(_:)`` runs.
///
/// It cannot be copied, and it cannot be used after the closure returns.
public struct ReadTransaction: ~Copyable, RecordReading {
    /// The backend of the store, which executes the operations.
    @usableFromInline package let backend: any NativeReadBackend

    /// Creates a transaction on a backend. Call it only in an implementation of ``DataStore``.
    public init(_ backend: any ReadBackend) { self.backend = AdaptedReadBackend(backend) }

    /// Creates a transaction on a backend of this package.
    @inlinable
    package init(native backend: any NativeReadBackend) { self.backend = backend }

    /// Returns the record of a key, or `nil` if the key does not exist.
    public func record(for key: Key) throws(DataStoreError) -> Record? {
        var record: Record?
        var failure: DataStoreError?
        do throws(DataStoreError) {
            _ = try backend.view(key) { view in
                do throws(DataStoreError) { record = try view.record() } catch { failure = error }
            }
            if let failure { throw failure }
            return record
        } catch {
            throw error.adding(operation: "read a record", key: key)
        }
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
    @inlinable
    package func view<Result>(
        of key: Key, _ body: (borrowing RecordView) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result? {
        var result: Swift.Result<Result, DataStoreError>?
        _ = try backend.view(key) { view in
            result = Swift.Result { () throws(DataStoreError) in try body(view) }
        }
        return try result?.get()
    }
}
