/// A unit of work that changes entities of several types in one transaction of a data store.
package struct DataStoreUnitOfWork: UnitOfWork, HidesEntities {
    let store: SchemaStore
    let mappings: [ObjectIdentifier: any RecordMapping]

    /// Creates a unit of work over a store.
    ///
    /// - Parameters:
    ///   - store: The store. If it is not a `SchemaStore` that declares the collections of the mappings, the unit of
    ///     work wraps it in one.
    ///   - mappings: The mappings of the entities, one for each type.
    /// - Throws: `DataStoreError` if two mappings have the same collection or entity type, or if the collection, an
    ///   index or a query field of a mapping is invalid.
    package init(store: any DataStore, mappings: [any RecordMapping]) throws(DataStoreError) {
        var types: Set<ObjectIdentifier> = []
        for mapping in mappings where !types.insert(mapping.entityType).inserted {
            throw DataStoreError(
                .misuse, "two mappings use the collection \(mapping.collection); pass one mapping for each type",
                operation: "create a unit of work")
        }
        self.init(try SchemaStore.declaring(mappings.map(\.schemaCollection), in: store), mappings: mappings)
    }

    /// Creates a unit of work over a `SchemaStore` that declares the collections of the mappings.
    package init(_ store: SchemaStore, mappings: [any RecordMapping]) {
        self.store = store
        self.mappings = Dictionary(mappings.map { ($0.entityType, $0) }) { first, _ in first }
    }

    /// Runs a closure on one snapshot and returns its result.
    package func snapshot<Result: Sendable>(
        _ body: @Sendable (any SnapshotScope) throws -> Result
    ) async throws -> Result {
        try await store.readConvertingErrors { try DataStoreUnitScope(store, mappings).run(on: $0.backend, body) }
    }

    /// Runs a closure in one transaction and returns its result.
    package func perform<Result: Sendable>(
        _ work: @escaping @Sendable (any UnitOfWorkScope) throws -> Result
    ) async throws -> Result {
        try await store.writeConvertingErrors { try DataStoreUnitScope(store, mappings).run(in: &$0, work) }
    }
}

/// The scope of a unit of work or a snapshot, whose repositories share one transaction.
package final class DataStoreUnitScope: UnitOfWorkScope, SnapshotScope, HidesEntities {
    private let store: SchemaStore
    private let mappings: [ObjectIdentifier: any RecordMapping]
    /// The transaction in which the repositories of this scope run their operations. Before and after the call of
    /// ``run(in:_:)``, it is a transaction that rejects every operation.
    private var transaction = WriteTransaction(EndedBackend())
    /// The snapshot that the repositories read, or `nil` to read the uncommitted state of ``transaction``.
    private var snapshot: (any ReadBackend)?
    /// The collections that the repositories have read from the snapshot.
    private(set) var collections: Set<String> = []
    private var failure: (any Error)?

    /// Creates the scope of a unit of work.
    ///
    /// - Parameters:
    ///   - store: The store of the transaction.
    ///   - mappings: The mapping of each entity type, by the identifier of the entity type.
    package init(_ store: SchemaStore, _ mappings: [ObjectIdentifier: any RecordMapping]) {
        self.store = store
        self.mappings = mappings
    }

    /// Creates a scope without repositories.
    package convenience init(_ store: any DataStore) { self.init(SchemaStore(store), [:]) }

    /// Runs the closure of the unit of work in a transaction.
    ///
    /// If an operation of a repository fails, the whole unit of work fails, even if the closure catches the error.
    package func run<Result>(
        in transaction: inout WriteTransaction, _ work: (DataStoreUnitScope) throws -> Result
    ) throws -> Result {
        swap(&self.transaction, &transaction)
        defer { swap(&self.transaction, &transaction) }
        return try run(work)
    }

    /// Runs the closure of a snapshot. A failed operation fails it like a unit of work.
    func run<Result>(on snapshot: any ReadBackend, _ work: (DataStoreUnitScope) throws -> Result) throws -> Result {
        self.snapshot = snapshot
        defer { self.snapshot = nil }
        return try run(work)
    }

    private func run<Result>(_ work: (DataStoreUnitScope) throws -> Result) throws -> Result {
        let result = Swift.Result { try ChangeFailure.wrapping { try work(self) } }
        // If an operation failed, this function throws its error even if the closure caught it, because a partly
        // executed operation must not be committed. The error is not wrapped, because the store may recover from it and
        // run the closure again.
        if let failure { throw failure }
        return try result.get()
    }

    /// Returns the mapping of a type, or `nil` if the unit of work has none.
    package func mapping<Entity>(of type: Entity.Type) -> (any RecordMapping<Entity>)? {
        mappings[ObjectIdentifier(type)] as? any RecordMapping<Entity>
    }

    /// Runs one operation of a repository in the transaction. If the operation fails, the whole unit of work fails,
    /// even if the caller catches the error.
    ///
    /// - Throws: ``RepositoryError`` if the operation fails, or the error of a closure of the caller.
    package func step<Result>(_ body: (inout WriteTransaction) throws -> Result) throws -> Result {
        do {
            return try body(&transaction)
        } catch {
            failure = failure ?? error
            throw RepositoryError.mapped(error)
        }
    }

    /// Runs one operation that reads a collection.
    package func read<Result>(
        _ collection: String, _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        try step { transaction in
            guard let snapshot else { return try transaction.reading(collection, body) }
            collections.insert(collection)
            return try body(ReadTransaction(snapshot))
        }
    }

    /// Returns the repository of an entity type. Throws ``RepositoryError`` if the unit of work has no mapping for the
    /// type.
    package func repository<Entity>(of type: Entity.Type) throws -> any UnitOfWorkRepository<Entity> {
        func repository<Mapping: RecordMapping>(_ mapping: Mapping) -> any UnitOfWorkRepository<Mapping.Entity> {
            DataStoreUnitRepository(scope: self, records: EntityRecords(store, mapping: mapping))
        }
        guard let mapping = mapping(of: type) else {
            throw RepositoryError(.unexpected, message: "the unit of work has no mapping of \(type)")
        }
        return repository(mapping)
    }

    /// Returns the repository of an entity type in a snapshot.
    package func repository<Entity>(of type: Entity.Type) throws -> any SnapshotRepository<Entity> {
        try repository(of: type) as any UnitOfWorkRepository<Entity>
    }
}

/// A backend that rejects every operation. It is used before and after a unit of work.
private final class EndedBackend: WriteBackend {
    private var error: DataStoreError { DataStoreError(.closed, "the unit of work has ended; start a new one") }

    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool { throw error }
    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError) { throw error }
    func collection(after name: String?) throws(DataStoreError) -> String? { throw error }
    func put(_ record: Record, for key: Key) throws(DataStoreError) { throw error }
    func remove(_ key: Key) throws(DataStoreError) -> Bool { throw error }
}
