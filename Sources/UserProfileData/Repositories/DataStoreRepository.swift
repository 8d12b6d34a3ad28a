public import DataStoreCore
public import UserProfileDomain

/// A repository over any data store: it delegates to the store and maps entities to records and back.
///
/// Fields that the mapping does not know, from a newer program, stay in the record when an entity is saved. (Within the
/// values of known fields nothing is merged: they are replaced.)
public struct DataStoreRepository<Mapping: RecordMapping>: Repository {
    /// What is kept.
    public typealias Entity = Mapping.Entity

    private let store: any DataStore
    private let mapping: Mapping

    /// Works on a store.
    ///
    /// - Parameters:
    ///   - store: where the records are kept.
    ///   - mapping: how entities are kept as records.
    public init(store: any DataStore, mapping: Mapping) {
        self.store = store
        self.mapping = mapping
    }

    /// The entity of an id, or nil where there is none.
    public func find(_ id: Entity.ID) async throws -> Entity? {
        do {
            let key = try key(id)
            // Not the result of the closures: what is passed on by code that does not know its type is copied.
            var found: Entity?
            try await store.read { transaction in
                _ = try transaction.withView(of: key) { record in found = try entity(of: record, id, key) }
            }
            return found.take()
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Keeps an entity, in place of the one that had its id.
    public func save(_ entity: Entity) async throws {
        do {
            let key = try key(entity.id)
            try await store.write { transaction in
                try put(entity, key, over: try transaction.record(for: key), in: &transaction)
            }
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Reads an entity, changes it and keeps the result in one transaction.
    public func update(_ id: Entity.ID, _ change: @escaping @Sendable (inout Entity?) throws -> Void) async throws {
        do {
            let key = try key(id)
            try await store.write { transaction in
                let record = try transaction.record(for: key)
                var entity = try record.map { try self.entity(of: RecordView($0), id, key) }
                do {
                    try change(&entity)
                } catch {
                    throw ChangeFailure(cause: error)
                }
                if let entity {
                    guard try self.key(entity.id) == key else {
                        throw DataStoreError(
                            .invalidKey, "the changed entity has another id, \(mapping.text(of: entity.id))",
                            operation: "save a record", key: key)
                    }
                    try put(entity, key, over: record, in: &transaction)
                } else {
                    try transaction.remove(key)
                }
            }
        } catch let error as ChangeFailure {
            // What the caller's closure threw goes to the caller as it is.
            throw error.cause
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Deletes an entity.
    @discardableResult
    public func delete(_ id: Entity.ID) async throws -> Bool {
        do {
            let key = try key(id)
            return try await store.write { transaction in try transaction.remove(key) }
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Deletes every entity, all or none.
    @discardableResult
    public func deleteAll() async throws -> Int {
        do {
            let scan = try Scan(mapping.collection)
            return try await store.write { transaction in try transaction.removeAll(in: scan) }
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Entities in the order of their ids.
    public func list(after id: Entity.ID?, limit: Int?) async throws -> [Entity] {
        do {
            let ids = id.map { IDRange.after(mapping.text(of: $0)) } ?? .all
            let scan = try Scan(mapping.collection, ids: ids, limit: limit)
            return try await store.read { transaction in
                var entities: [Entity] = []
                try transaction.forEachView(in: scan) { key, record in
                    entities.append(try entity(of: record, try self.id(of: key), key))
                    return .next
                }
                return entities
            }
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    // MARK: Mapping

    private func key(_ id: Entity.ID) throws(DataStoreError) -> Key {
        try Key(collection: mapping.collection, id: mapping.text(of: id))
    }

    private func id(of key: Key) throws(DataStoreError) -> Entity.ID {
        do {
            return try mapping.id(of: key.id)
        } catch {
            throw corrupted(key, error)
        }
    }

    private func entity(of record: borrowing RecordView, _ id: Entity.ID, _ key: Key) throws(DataStoreError) -> Entity {
        do {
            return try mapping.entity(of: record, id: id)
        } catch let error as DataStoreError {
            throw error.adding(operation: "read a record", key: key)
        } catch {
            throw corrupted(key, error)
        }
    }

    private func corrupted(_ key: Key, _ error: any Error) -> DataStoreError {
        DataStoreError(.corrupted, "\(error)", operation: "read a record", key: key, underlying: error)
    }

    private func put(
        _ entity: Entity, _ key: Key, over old: Record?, in transaction: inout WriteTransaction
    ) throws(DataStoreError) {
        var record = mapping.record(of: entity)
        for field in old ?? Record() where !mapping.fieldNames.contains(field.name) {
            record[field.name] = field.value
        }
        try transaction.put(record, for: key)
    }
}

/// Carries what a caller's closure threw through the store, so that it is told from the store's own errors.
private struct ChangeFailure: Error {
    let cause: any Error
}
