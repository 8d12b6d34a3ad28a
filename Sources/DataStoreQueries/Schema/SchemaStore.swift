/// A data store that wraps another store and maintains indexes on each write. It maintains the indexes that a
/// ``Schema`` declares and the indexes that other programs declared in the store.
///
/// ```swift
/// let schema = try Schema([.init("trips", indexes: [.unique("title")])])
/// let store = SchemaStore(try LMDBDataStore(path: path), schema: schema)
/// try await store.buildIndexes()
/// try await store.write { try $0.put(record, for: key) }      // rejects a second record with this title
/// ```
///
/// Make every write through a schema store. A write through the wrapped store itself invalidates the indexes of each
/// collection that it changes, and queries do not use them until they are rebuilt. If a unique index is incomplete, the
/// next write to its collection rebuilds the index first.
public struct SchemaStore: DataStore, HidesRecords {
    /// The collections and migrations that this program declares.
    let schema: Schema

    /// The wrapped store. Repositories read from it directly, because reading needs no schema.
    @usableFromInline package let store: any DataStore
    /// The wrapped store if its reads neither suspend nor wait for a server, otherwise `nil`.
    @usableFromInline package let immediate: (any ImmediateDataStore)?
    let preparations = PreparedCollections()
    /// The clock by which records expire.
    package let now: @Sendable () -> Timestamp

    /// Wraps a store.
    ///
    /// - Parameters:
    ///   - store: The store to wrap.
    ///   - schema: The collections and migrations that this program declares.
    ///   - now: The clock by which records expire.
    public init(
        _ store: any DataStore, schema: Schema = .empty, now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.store = store
        immediate = store.immediate
        self.schema = schema
        self.now = now
    }

    /// Returns a schema store that declares the given collections: the given store if it already declares them,
    /// otherwise a new store that wraps it.
    package static func declaring(
        _ collections: [Schema.Collection], in store: any DataStore
    ) throws(DataStoreError) -> SchemaStore {
        let schema = try Schema(collections)
        if let store = store as? SchemaStore, collections.allSatisfy(store.schema.satisfies) { return store }
        return SchemaStore(store, schema: schema)
    }

    /// Runs a closure on one snapshot of the store.
    ///
    /// - Parameter body: A closure that reads from the snapshot.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, or `DataStoreError` if the store cannot be read.
    @inlinable @inline(__always)
    public func read<Result: Sendable>(
        _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        if let immediate {
            do { return try immediate.readImmediately(body) } catch  where error.needsSuspension {}
        }
        return try await store.read(body)
    }

    /// Runs a closure like ``read(_:)``. The closure probably begins by reading the record of `key`.
    @inlinable @inline(__always)
    public func read<Result: Sendable>(
        prefetching key: Key, _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        if let immediate {
            do { return try immediate.readImmediately(body) } catch  where error.needsSuspension {}
        }
        return try await store.read(prefetching: key, body)
    }

    /// Runs a closure that changes the store, and updates the affected indexes. Returns when the change is durable.
    ///
    /// - Parameter body: A closure that reads and changes records. It may run more than once.
    /// - Returns: The result of the closure.
    /// - Throws: The errors of `DataStore.write(_:)`, and `DataStoreError` with one of these codes:
    ///   - `notUnique` if a unique index rejects a record.
    ///   - `brokenReference` if a record would refer to a record that does not exist.
    ///   - `indexNotReady` if a unique index cannot be completed because records have equal values.
    ///   - `unsupportedFormat` if a newer version of the library declared an index or a rule that this one does not
    ///     know.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        var rebuilt = 0
        while true {
            do {
                return try await store.write { [schema, preparations, now] transaction in
                    if let maintenance = transaction.maintenance as? RecordMaintenance {
                        maintenance.add(schema)
                        return try body(&transaction)
                    }
                    let maintenance = RecordMaintenance(schema, preparations, now: now)
                    transaction.maintenance = maintenance
                    let result = try body(&transaction)
                    try maintenance.finish(in: transaction.backend)
                    return result
                }
            } catch let error as DataStoreError {
                // An index is incomplete. The write is repeated after a build. Another program may invalidate the index
                // again and again, so the number of attempts is limited.
                guard let index = error.index, error.underlying == nil, rebuilt < 10 else { throw error }
                // If another program has built the index meanwhile, this call does nothing, and the next attempt
                // succeeds.
                if let blocked = try await build(index.collection, { _, _ in }).first { throw blocked }
                rebuilt += 1
            }
        }
    }

    /// Returns whether the mapping of a collection derives a field from another one.
    package func derives(_ field: QueryField, in collection: String) -> Bool {
        schema.derivedFields(of: collection)?.contains(field) == true
    }

    /// Returns a number that changes with each commit that changes a record.
    public func generation() async throws -> UInt64 { try await store.generation() }

    /// Calls `wake` after each commit that may have changed a record in the scope.
    public func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        try await store.observe(scope, wake)
    }

    /// Waits for pending writes and closes the store.
    public func close() async { await store.close() }
}
