/// One snapshot of a store, for as long as the closure that was given to ``DataStore/read(_:)`` runs.
///
/// It cannot be copied, kept or used afterwards.
public struct ReadTransaction: ~Copyable, RecordReading {
    @usableFromInline let backend: any ReadBackend

    /// Wraps what a store reads with. Only stores make transactions.
    public init(_ backend: any ReadBackend) { self.backend = backend }

    /// The record of a key, or nil where it is not there.
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

    /// Shows the record of a key to a closure, where it is there.
    @inlinable
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
        // Taken out of the variable, not copied.
        return result.take()
    }

    /// The names of the collections that have records.
    public func collections() throws(DataStoreError) -> [String] {
        var names: [String] = []
        var last: String?
        while let name = try backend.collection(after: last) {
            // Those that begin with a NUL are the port's own.
            if name.utf8.first != 0 { names.append(name) }
            last = name
        }
        return names
    }

    /// Shows records of a collection in the order of their ids, one after the other.
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

    /// The same with the bytes of the ids.
    public func forEachBytes(in scan: Scan, _ body: (Span<UInt8>, borrowing RecordView) throws -> Scan.Step) throws {
        var failure: (any Error)?
        try backend.scanBytes(scan) { id, view in
            do {
                return try body(id, view)
            } catch {
                failure = error
                return .stop
            }
        }
        if let failure { throw failure }
    }

    /// Makes an index that the snapshot does not have, where the store has everything in memory.
    public func prepare(_ index: RecordIndex, of collection: String) throws(DataStoreError) {
        try backend.prepare(index, of: collection)
    }

    /// What is known of the indexes in this snapshot, where the store remembers it from one read to the next.
    public var indexMemory: IndexMemory? { backend.indexMemory }
}

extension ReadTransaction {
    /// Shows the record of a key to a closure that fails as stores do.
    func view<Result>(
        of key: Key, _ body: (borrowing RecordView) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result? {
        var result: Swift.Result<Result, DataStoreError>?
        _ = try backend.view(key) { view in
            result = Swift.Result { () throws(DataStoreError) in try body(view) }
        }
        return try result?.get()
    }

    /// Shows the bytes of the ids of a scan.
    func scanEntries(_ scan: Scan, _ visit: (Span<UInt8>) -> Void) throws(DataStoreError) {
        try backend.scanBytes(scan) { id, _ in
            visit(id)
            return .next
        }
    }
}
