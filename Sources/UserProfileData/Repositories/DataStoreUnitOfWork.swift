package import DataStoreCore
package import DataStoreQueries
package import UserProfileDomain

/// A unit of work that changes entities of several types in one transaction of a data store.
package struct DataStoreUnitOfWork: UnitOfWork, HidesEntities {
    private let store: SchemaStore
    private let mappings: [ObjectIdentifier: any RecordMapping]

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

    /// Runs a closure in one transaction and returns its result.
    package func perform<Result: Sendable>(
        _ work: @escaping @Sendable (any UnitOfWorkScope) throws -> Result
    ) async throws -> Result {
        do {
            return try await store.write { transaction in
                try DataStoreUnitScope(mappings).run(in: &transaction, work)
            }
        } catch let error as ChangeFailure {
            // An error of the caller's closure is thrown unchanged.
            throw error.cause
        } catch {
            throw RepositoryError.mapped(error)
        }
    }
}

/// The scope of a unit of work, whose repositories share one transaction.
package final class DataStoreUnitScope: UnitOfWorkScope, HidesEntities {
    private let mappings: [ObjectIdentifier: any RecordMapping]
    /// The transaction in which the repositories of this scope run their operations. Before and after the call of
    /// ``run(in:_:)``, it is a transaction that rejects every operation.
    private var transaction = WriteTransaction(EndedBackend())
    private var failure: (any Error)?

    /// Creates the scope of a unit of work.
    ///
    /// - Parameter mappings: The mapping of each entity type, by the identifier of the entity type.
    package init(_ mappings: [ObjectIdentifier: any RecordMapping]) { self.mappings = mappings }

    /// Runs the closure of the unit of work in a transaction.
    ///
    /// If an operation of a repository fails, the whole unit of work fails, even if the closure catches the error.
    package func run<Result>(
        in transaction: inout WriteTransaction, _ work: (DataStoreUnitScope) throws -> Result
    ) throws -> Result {
        swap(&self.transaction, &transaction)
        defer { swap(&self.transaction, &transaction) }
        let result = Swift.Result { try work(self) }
        // If an operation failed, this function throws its error even if the closure caught it, because a partly
        // executed operation must not be committed. The error is not wrapped, because the store may recover from it and
        // run the closure again.
        if let failure { throw failure }
        do {
            return try result.get()
        } catch {
            throw ChangeFailure(cause: error)
        }
    }

    /// Runs one operation of a repository in the transaction. If the operation fails, the whole unit of work fails,
    /// even if the caller catches the error.
    ///
    /// - Throws: ``RepositoryError`` if the operation fails.
    package func step<Result>(_ body: (inout WriteTransaction) throws -> Result) throws -> Result {
        do {
            return try body(&transaction)
        } catch {
            failure = failure ?? error
            throw RepositoryError.mapped(error)
        }
    }

    /// Returns the repository of an entity type. Throws ``RepositoryError`` if the unit of work has no mapping for the
    /// type.
    package func repository<Entity>(of type: Entity.Type) throws -> any UnitOfWorkRepository<Entity> {
        guard let mapping = mappings[ObjectIdentifier(type)] as? any RecordMapping<Entity> else {
            throw RepositoryError(.unexpected, message: "the unit of work has no mapping of \(type)")
        }
        return repository(mapping)
    }

    private func repository<Mapping: RecordMapping>(
        _ mapping: Mapping
    ) -> any UnitOfWorkRepository<Mapping.Entity> {
        DataStoreUnitRepository(scope: self, records: EntityRecords(mapping: mapping))
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

/// The repository of an entity type within a unit of work.
private struct DataStoreUnitRepository<Mapping: RecordMapping>: UnitOfWorkRepository, HidesEntities {
    let scope: DataStoreUnitScope
    let records: EntityRecords<Mapping>

    func find(_ id: Mapping.Entity.ID) throws -> Mapping.Entity? {
        try scope.step { transaction in
            let key = try records.key(id)
            return try records.find(id, key, in: transaction.reading)
        }
    }

    func find(_ query: Query<Mapping.Entity>) throws -> Page<Mapping.Entity> {
        try scope.step { transaction in
            try records.page(of: transaction.records(matching: records.recordQuery(query)))
        }
    }

    func save(_ entity: Mapping.Entity) throws { try save(contentsOf: CollectionOfOne(entity)) }

    func save(contentsOf entities: [Mapping.Entity]) throws { try save(contentsOf: entities[...]) }

    private func save(contentsOf entities: some Collection<Mapping.Entity>) throws {
        try scope.step { transaction in
            for entity in entities {
                try records.save(entity, try records.key(entity.id), in: &transaction)
            }
        }
    }

    func delete(_ id: Mapping.Entity.ID) throws -> Bool {
        try scope.step { transaction in try transaction.remove(try records.key(id)) }
    }
}
