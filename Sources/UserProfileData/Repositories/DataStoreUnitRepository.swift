/// The repository of an entity type within a unit of work or a snapshot. A ``DataStoreRepository`` runs each operation
/// in a unit of work of its own.
///
/// A read that finds nothing checks whether a migration has moved the records.
struct DataStoreUnitRepository<Mapping: RecordMapping>: UnitOfWorkRepository, HidesEntities {
    typealias Entity = Mapping.Entity

    let scope: DataStoreUnitScope
    let records: EntityRecords<Mapping>

    private var collection: String { records.mapping.collection }

    // MARK: Reading

    func find(_ id: Entity.ID) throws -> Entity? { try read { try records.find(id, in: $0) } }

    func find(_ ids: [Entity.ID]) throws -> [Entity] {
        try read(isEmpty: \.isEmpty) { try records.find(ids, in: $0) }
    }

    func find(_ query: Query<Entity>) throws -> Page<Entity> {
        try read { try records.page(query, in: $0) }
    }

    func list(after id: Entity.ID?, limit: Int?) throws -> [Entity] {
        guard records.idField == nil else {
            return try find(Query(limit: limit, after: id.map { Query.Cursor(values: [], id: $0) })).entities
        }
        return try read(isEmpty: \.isEmpty) { transaction in
            let ids = try id.map { IDRange.after(try records.text(of: $0)) } ?? .all
            return try records.list(ids, limit: limit, in: transaction)
        }
    }

    /// Returns the number of entities that meet a filter. It does not decode them.
    func count(where filter: Filter<Entity>?) throws -> Int {
        try read(isEmpty: { $0 == 0 }) { try $0.count(matching: records.recordQuery(Query(where: filter))) }
    }

    /// Returns the number of entities for each value of a field. It does not decode the entities, and omits values that
    /// queries cannot compare.
    func groups(
        by field: String, where filter: Filter<Entity>?, isDescending: Bool, limit: Int?
    ) throws -> [FieldGroup] {
        let groups = try read(isEmpty: \.isEmpty) { transaction in
            let grouped = try records.mapping.queryFields.named(field)
            return try transaction.groups(
                matching: records.recordQuery(Query(where: filter)), by: grouped.field, isDescending: isDescending,
                limit: limit
            ).groups
        }
        return groups.compactMap { group in
            guard let value = group.value else { return FieldGroup(value: nil, count: group.count) }
            return value.operand.map { FieldGroup(value: $0, count: group.count) }
        }
    }

    func reduce<Value>(
        _ query: Query<Entity>, into initial: Value, _ update: (inout Value, Entity) throws -> Void
    ) throws -> Value {
        var (value, isEmpty) = (initial, true)
        _ = try read(isEmpty: { _ in isEmpty }) { transaction in
            try records.forEach(records.recordQuery(query), in: transaction) { entity, _, _ in
                isEmpty = false
                try ChangeFailure.wrapping { try update(&value, entity) }
            }
        }
        return value
    }

    private func read<Result>(
        isEmpty: (Result) -> Bool = { _ in false }, _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        try scope.read(collection) { transaction in
            let result = try body(transaction)
            if isEmpty(result) { try records.checkMigrations(transaction) }
            return result
        }
    }

    // MARK: Writing

    func update<Result>(_ id: Entity.ID, _ change: (inout Entity?) throws -> Result) throws -> Result {
        try scope.step { try records.update(id, in: &$0, change) }
    }

    func updateAll(where filter: Filter<Entity>?, _ change: (inout Entity) throws -> Void) throws -> Int {
        try updateAll(Query(where: filter), change).count
    }

    /// Changes the entities that a query selects. Returns their number, and the position of the next page.
    func updateAll(
        _ query: Query<Entity>, _ change: (inout Entity) throws -> Void
    ) throws -> (count: Int, next: Query<Entity>.Cursor?) {
        try scope.step { transaction in
            // Only the keys are collected before the first change, because the entities may need much memory.
            var keys: [Key] = []
            let next = try transaction.forEachView(matching: records.recordQuery(query)) { key, _ in
                keys.append(key)
                return .next
            }
            var count = 0
            for key in keys {
                let old = try records.replaced(key, in: transaction)
                guard var entity = try records.listed(old, key) else { continue }
                try ChangeFailure.wrapping { try change(&entity) }
                try records.replace(old, with: entity, key, in: &transaction)
                count += 1
            }
            return (count, try next.map(records.cursor))
        }
    }

    func save(_ entity: Entity) throws {
        try scope.step { try records.save(entity, records.key(entity.id), in: &$0) }
    }

    func save(contentsOf entities: [Entity]) throws {
        try scope.step { transaction in
            let keys = try entities.map { try records.key($0.id) }
            for index in try transaction.storageOrder(of: keys, in: collection) {
                try records.save(entities[index], keys[index], in: &transaction)
            }
        }
    }

    func delete(_ id: Entity.ID) throws -> Bool { try scope.step { try records.remove(records.key(id), in: &$0) } }

    func delete(_ ids: [Entity.ID]) throws -> Int { try ids.count(where: delete) }

    func deleteAll(where condition: (Entity) -> Bool) throws -> Int {
        try scope.step { transaction in
            try records.removeAll(matching: records.query, from: &transaction) { key, record in
                try key.id.withBytes { try records.listed(record, $0) }.map(condition) == true
            }
        }
    }

    func deleteAll(where filter: Filter<Entity>) throws -> Int {
        try scope.step { try records.removeAll(matching: records.recordQuery(Query(where: filter)), from: &$0) }
    }

    /// Removes all records of the collection, including records that cannot be decoded. Returns the number of entities.
    func deleteAll() throws -> Int {
        try scope.step { transaction in
            let expires = try records.expiry(in: transaction) != nil
            let count = expires ? try transaction.reading(collection) { try $0.count(matching: records.query) } : nil
            let removedCount = try transaction.removeAll(in: Scan(collection))
            return count ?? removedCount
        }
    }
}
