// The declarations of this target use these modules. Their re-export serves the files here and the programs that import
// the target.
@_exported public import DataStoreQueries
@_exported public import UserProfileDomain

/// A repository that stores entities as records in any data store. It converts them with a ``RecordMapping``.
///
/// A save preserves fields of the stored record that the mapping does not know, because a newer program may have
/// written them. It replaces the value of a known field as a whole.
package struct DataStoreRepository<Mapping: RecordMapping>: Repository, HidesEntities {
    /// The type of the stored entities.
    package typealias Entity = Mapping.Entity

    package let store: SchemaStore
    private(set) var records: EntityRecords<Mapping>
    let defaults: RegisteredDefaults
    let lookups: [FieldLookup]
    var mapping: Mapping { records.mapping }

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - store: The store. If it is not a `SchemaStore` that declares the collection of the mapping, the repository
    ///     wraps it in one.
    ///   - mapping: The mapping that converts entities to records and back.
    ///   - defaults: The default values that a read by id returns for missing fields.
    /// - Throws: `DataStoreError` if the collection, an index or a query field of the mapping is invalid.
    package init(
        store: any DataStore, mapping: Mapping, defaults: RegisteredDefaults = .none
    ) throws(DataStoreError) {
        self.init(
            try SchemaStore.declaring([mapping.schemaCollection], in: store), mapping: mapping, defaults: defaults)
    }

    /// Creates a repository over a `SchemaStore` that declares the collection of the mapping.
    package init(_ store: SchemaStore, mapping: Mapping, defaults: RegisteredDefaults = .none) {
        self.store = store
        self.defaults = defaults
        records = EntityRecords(store, mapping: mapping)
        lookups = records.lookups
    }

    /// Returns a copy of the repository whose lists and queries skip records that cannot be decoded.
    ///
    /// - Parameter report: A closure that receives the error of each skipped record. It runs within the transaction, on
    ///   any thread.
    /// - Returns: The copy of the repository.
    package func skippingInvalid(_ report: @escaping @Sendable (RepositoryError) -> Void) -> DataStoreRepository {
        var repository = self
        repository.records = EntityRecords(store, mapping: mapping, skipped: report)
        return repository
    }

    /// Returns the entity with an id, or `nil` if it does not exist.
    package func find(_ id: Entity.ID) async throws -> Entity? {
        do {
            let key = try records.key(id)
            return try await store.read(prefetching: key) { transaction in
                guard defaults[key] != nil else { return try records.existing(id, key, in: transaction) }
                guard let record = try record(for: key, in: transaction) else { throw MissingEntity() }
                return try records.entity(of: RecordView(record), id, key)
            }
        } catch is MissingEntity {
            return nil
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Returns the stored record of a key, with the registered defaults of its missing fields. If no record is stored,
    /// returns the registered record, or `nil` if none is registered.
    func record(for key: Key, in transaction: borrowing ReadTransaction) throws(DataStoreError) -> Record? {
        var stored = try transaction.record(for: key)
        if let record = stored, try records.expiry(in: transaction)?.hasPassed(RecordView(record)) == true {
            stored = nil
        }
        if stored == nil { try records.checkMigrations(transaction) }
        guard let registered = defaults[key] else { return stored }
        return stored?.completed(by: registered) ?? registered
    }

    /// Runs one or several reads on a snapshot.
    func read<Result: Sendable>(
        _ body: @Sendable (DataStoreUnitRepository<Mapping>) throws -> Result
    ) async throws -> Result {
        try await store.readConvertingErrors { transaction in
            let scope = DataStoreUnitScope(store, [:])
            return try scope.run(on: transaction.backend) { try body(.init(scope: $0, records: records)) }
        }
    }

    /// Runs one or several operations in a transaction.
    private func write<Result: Sendable>(
        _ body: @escaping @Sendable (DataStoreUnitRepository<Mapping>) throws -> Result
    ) async throws -> Result {
        try await store.writeConvertingErrors { transaction in
            let scope = DataStoreUnitScope(store, [:])
            return try scope.run(in: &transaction) { try body(.init(scope: $0, records: records)) }
        }
    }

    // A save of one entity is frequent, so it needs no scope.

    /// Saves an entity. It replaces an existing entity with the same id.
    package func save(_ entity: Entity) async throws {
        try await store.writeConvertingErrors { try records.save(entity, records.key(entity.id), in: &$0) }
    }

    /// Reads an entity, changes it and saves the result, all in one transaction. Returns the result of `change`.
    @discardableResult
    package func update<Result: Sendable>(
        _ id: Entity.ID, _ change: @escaping @Sendable (inout Entity?) throws -> Result
    ) async throws -> Result {
        try await store.writeConvertingErrors { try records.update(id, in: &$0, change) }
    }

    /// Returns the entities with the given ids, from one snapshot.
    package func find(_ ids: [Entity.ID]) async throws -> [Entity] { try await read { try $0.find(ids) } }

    /// Saves entities in one transaction.
    package func save(contentsOf entities: [Entity]) async throws {
        try await write { try $0.save(contentsOf: entities) }
    }

    /// Changes the entities that meet a filter, in one transaction or in batches, and returns their number.
    @discardableResult
    package func updateAll(
        where filter: Filter<Entity>?, batchSize: Int?, _ change: @escaping @Sendable (inout Entity) throws -> Void
    ) async throws -> Int {
        var (query, count) = (Query(where: filter, limit: batchSize.map { Swift.max($0, 1) }), 0)
        repeat {
            let batch = try await write { [query] in try $0.updateAll(query, change) }
            count += batch.count
            query.cursor = batch.next
        } while query.cursor != nil
        return count
    }

    /// Deletes an entity and returns whether it existed.
    @discardableResult
    package func delete(_ id: Entity.ID) async throws -> Bool { try await write { try $0.delete(id) } }

    /// Deletes the entities with the given ids, in one transaction, and returns the number of deleted entities.
    @discardableResult
    package func delete(_ ids: [Entity.ID]) async throws -> Int { try await write { try $0.delete(ids) } }

    /// Deletes all entities, including entities that cannot be decoded, and returns their number.
    @discardableResult
    package func deleteAll() async throws -> Int { try await write { try $0.deleteAll() } }

    /// Deletes the entities that meet a condition, in one transaction, and returns their number.
    @discardableResult
    package func deleteAll(where condition: @escaping @Sendable (Entity) -> Bool) async throws -> Int {
        try await write { try $0.deleteAll(where: condition) }
    }

    /// Deletes the entities that meet a filter, in one transaction, and returns their number. Matching entities that
    /// cannot be decoded are deleted, too.
    @discardableResult
    package func deleteAll(where filter: Filter<Entity>) async throws -> Int {
        try await write { try $0.deleteAll(where: filter) }
    }

    /// Returns the number of entities that meet a filter, or of all entities if the filter is `nil`. It does not decode
    /// the entities.
    package func count(where filter: Filter<Entity>?) async throws -> Int {
        try await read { try $0.count(where: filter) }
    }

    /// Returns at most `limit` entities in the order of their ids, beginning after `id`. If `id` is `nil`, the list
    /// begins with the first entity. If `limit` is `nil`, the list has no limit.
    package func list(after id: Entity.ID?, limit: Int?) async throws -> [Entity] {
        try await read { try $0.list(after: id, limit: limit) }
    }
}

/// A wrapper for an error that a closure of the caller throws. The wrapper distinguishes it from errors of the store.
package struct ChangeFailure: Error {
    let cause: any Error

    /// Runs a closure of the caller, and wraps its error.
    package static func wrapping<Result>(_ body: () throws -> Result) throws(ChangeFailure) -> Result {
        do { return try body() } catch { throw ChangeFailure(cause: error) }
    }
}

extension DataStore {
    /// Returns a repository whose entities are stored as records in this store. Use it in a program that links only one
    /// store, and therefore has no `UserProfileStorage`.
    ///
    /// ```swift
    /// let profiles = UserUseCase(users: try store.repository(mapping: User.mapping()))
    /// ```
    ///
    /// For several repositories, create one `SchemaStore` that declares their collections.
    ///
    /// - Parameter mapping: The mapping that converts entities to records and back.
    /// - Returns: The repository.
    /// - Throws: `DataStoreError` if the collection, an index or a query field of the mapping is invalid.
    public func repository<Mapping: RecordMapping>(
        mapping: Mapping
    ) throws(DataStoreError) -> any Repository<Mapping.Entity> {
        try DataStoreRepository(store: self, mapping: mapping)
    }

    /// Returns a unit of work that changes entities of several types in one transaction of this store.
    ///
    /// - Parameter mappings: The mappings of the entities, one for each type.
    /// - Returns: The unit of work.
    /// - Throws: `DataStoreError` if two mappings have the same collection or entity type, or if the collection, an
    ///   index or a query field of a mapping is invalid.
    public func unitOfWork(mappings: [any RecordMapping]) throws(DataStoreError) -> any UnitOfWork {
        try DataStoreUnitOfWork(store: self, mappings: mappings)
    }
}
