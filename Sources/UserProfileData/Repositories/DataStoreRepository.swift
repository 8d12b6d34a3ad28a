public import DataStoreCore
package import DataStoreQueries
public import UserProfileDomain

/// A repository that stores entities as records in any data store. It converts them with a ``RecordMapping``.
///
/// A save preserves fields of the stored record that the mapping does not know, because a newer program may have
/// written them. It replaces the value of a known field as a whole.
package struct DataStoreRepository<Mapping: RecordMapping>: Repository, HidesEntities {
    /// The type of the stored entities.
    package typealias Entity = Mapping.Entity

    let store: SchemaStore
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
        records = EntityRecords(mapping: mapping)
        lookups = records.lookups
    }

    /// Returns a copy of the repository whose lists and queries skip records that cannot be decoded.
    ///
    /// - Parameter report: A closure that receives the error of each skipped record. It runs within the transaction, on
    ///   any thread.
    /// - Returns: The copy of the repository.
    package func skippingInvalid(_ report: @escaping @Sendable (RepositoryError) -> Void) -> DataStoreRepository {
        var repository = self
        repository.records = EntityRecords(mapping: mapping, skipped: report)
        return repository
    }

    /// Returns the entity with an id, or `nil` if it does not exist.
    package func find(_ id: Entity.ID) async throws -> Entity? {
        do {
            let key = try records.key(id)
            if defaults[key] == nil {
                return try await store.read(prefetching: key) { transaction in
                    do {
                        return try records.existing(id, key, in: transaction)
                    } catch let error as MissingEntity {
                        try checkMigrations(transaction)
                        throw error
                    }
                }
            }
            return try await store.read(prefetching: key) { transaction in
                try record(for: key, in: transaction).map { try records.entity(of: RecordView($0), id, key) }
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
        let stored = try transaction.record(for: key)
        if stored == nil { try checkMigrations(transaction) }
        guard let registered = defaults[key] else { return stored }
        return stored?.completed(by: registered) ?? registered
    }

    /// Throws a `DataStoreError` if the program cannot read the collection. A read that finds nothing calls it.
    func checkMigrations(_ transaction: borrowing ReadTransaction) throws(DataStoreError) {
        try store.checkMigrations(of: mapping.collection, in: transaction)
    }

    /// Saves an entity. It replaces an existing entity with the same id.
    package func save(_ entity: Entity) async throws {
        do {
            let key = try records.key(entity.id)
            try await store.write { transaction in try records.save(entity, key, in: &transaction) }
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Reads an entity, changes it and saves the result, all in one transaction. Returns whether the entity existed.
    @discardableResult
    package func update(
        _ id: Entity.ID, _ change: @escaping @Sendable (inout Entity?) throws -> Void
    ) async throws -> Bool {
        do {
            let key = try records.key(id)
            return try await store.write { transaction in try records.update(id, key, in: &transaction, change) }
        } catch let error as ChangeFailure {
            // An error of the caller's closure is thrown unchanged.
            throw error.cause
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Deletes an entity and returns whether it existed.
    @discardableResult
    package func delete(_ id: Entity.ID) async throws -> Bool {
        do {
            let key = try records.key(id)
            return try await store.write { transaction in try transaction.remove(key) }
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Deletes all entities, including entities that cannot be decoded, and returns their number.
    @discardableResult
    package func deleteAll() async throws -> Int {
        do {
            let scan = try Scan(mapping.collection)
            return try await store.write { transaction in try transaction.removeAll(in: scan) }
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Deletes the entities that meet a condition, in one transaction, and returns their number.
    @discardableResult
    package func deleteAll(where condition: @escaping @Sendable (Entity) -> Bool) async throws -> Int {
        do {
            let query = RecordQuery(mapping.collection)
            return try await store.write { transaction in
                try records.removeAll(matching: query, from: &transaction, where: condition)
            }
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Deletes the entities that meet a filter, in one transaction, and returns their number. Matching entities that
    /// cannot be decoded are deleted, too.
    @discardableResult
    package func deleteAll(where filter: Filter<Entity>) async throws -> Int {
        do {
            let query = try records.recordQuery(Query(where: filter))
            return try await store.write { transaction in
                try records.removeAll(matching: query, from: &transaction)
            }
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Returns the number of entities that meet a filter, or of all entities if the filter is `nil`. It does not decode
    /// the entities.
    package func count(where filter: Filter<Entity>?) async throws -> Int {
        do {
            let query = try records.recordQuery(Query(where: filter))
            return try await store.read { transaction in
                let count = try transaction.count(matching: query)
                if count == 0 { try checkMigrations(transaction) }
                return count
            }
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Returns at most `limit` entities in the order of their ids, beginning after `id`. If `id` is `nil`, the list
    /// begins with the first entity. If `limit` is `nil`, the list has no limit.
    package func list(after id: Entity.ID?, limit: Int?) async throws -> [Entity] {
        do {
            if records.idField != nil {
                let cursor = id.map { Query<Entity>.Cursor(values: [], id: $0) }
                let query = try records.recordQuery(Query(limit: limit, after: cursor))
                return try await store.read { transaction in
                    let entities = try records.page(query, in: transaction).entities
                    if entities.isEmpty { try checkMigrations(transaction) }
                    return entities
                }
            }
            let ids = try id.map { IDRange.after(try records.text(of: $0)) } ?? .all
            let scan = try Scan(mapping.collection, ids: ids, limit: limit)
            return try await store.read { transaction in
                let entities = try records.list(scan, in: transaction)
                if entities.isEmpty { try checkMigrations(transaction) }
                return entities
            }
        } catch {
            throw RepositoryError.mapped(error)
        }
    }
}

/// A wrapper for an error that a closure of the caller throws. The wrapper distinguishes it from errors of the store.
package struct ChangeFailure: Error {
    package let cause: any Error

    package init(cause: any Error) { self.cause = cause }
}

extension DataStore {
    /// Returns a repository whose entities are stored as records in this store.
    ///
    /// ```swift
    /// let profiles = UserUseCase(users: try store.repository(mapping: User.mapping()))
    /// ```
    ///
    /// The repository needs a `SchemaStore` that declares the collection and the indexes of the mapping. If this store
    /// is not one, the repository wraps it in a new `SchemaStore`.
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
