import DataStoreCore
import DataStoreQueries
import UserProfileDomain

// The operations that a repository runs each in a transaction of its own, and a unit of work in a common one. A read
// that finds nothing checks whether a migration has moved the records.
extension EntityRecords {
    /// Throws a `DataStoreError` if the program cannot read the collection.
    func checkMigrations(_ transaction: borrowing ReadTransaction) throws(DataStoreError) {
        try store.checkMigrations(of: mapping.collection, in: transaction)
        if !isSealing { try transaction.requireNoSealedFields(of: mapping.collection) }
    }

    // MARK: Reading

    func find(_ ids: [Entity.ID], in transaction: borrowing ReadTransaction) throws -> [Entity] {
        let entities = try ids.compactMap { try find($0, key($0), in: transaction) }
        if entities.isEmpty { try checkMigrations(transaction) }
        return entities
    }

    /// Returns at most `limit` entities in the order of their ids, beginning after `id`.
    func list(after id: Entity.ID?, limit: Int?, in transaction: borrowing ReadTransaction) throws -> [Entity] {
        guard idField == nil else {
            let cursor = id.map { Query<Entity>.Cursor(values: [], id: $0) }
            return try page(Query(limit: limit, after: cursor), in: transaction).entities
        }
        let ids = try id.map { IDRange.after(try text(of: $0)) } ?? .all
        let entities = try list(Scan(mapping.collection, ids: ids, limit: limit), in: transaction)
        if entities.isEmpty { try checkMigrations(transaction) }
        return entities
    }

    /// Returns the number of entities that meet a filter. It does not decode them.
    func count(where filter: Filter<Entity>?, in transaction: borrowing ReadTransaction) throws -> Int {
        let count = try transaction.count(matching: recordQuery(Query(where: filter)))
        if count == 0 { try checkMigrations(transaction) }
        return count
    }

    /// Returns the number of entities for each value of a field, and a report on the index and the records that were
    /// read. It does not decode the entities, and omits values that queries cannot compare.
    func groups(
        by field: String, where filter: Filter<Entity>?, isDescending: Bool, limit: Int?,
        in transaction: borrowing ReadTransaction
    ) throws -> (groups: [FieldGroup], report: QueryExplanation) {
        let fields = mapping.queryFields
        var query = self.query
        query.condition = try filter?.term.condition(fields)
        let grouped = try fields.named(field)
        try grouped.requirePlain()
        let found = try transaction.groups(
            matching: query, by: grouped.field, isDescending: isDescending, limit: limit)
        if found.groups.isEmpty { try checkMigrations(transaction) }
        let groups: [FieldGroup] = found.groups.compactMap { group in
            guard let value = group.value else { return FieldGroup(value: nil, count: group.count) }
            return value.operand.map { FieldGroup(value: $0, count: group.count) }
        }
        return (groups, found.report)
    }

    /// Combines the entities that a query selects into one value.
    func reduce<Value>(
        _ query: Query<Entity>, into initial: Value, in transaction: borrowing ReadTransaction,
        _ update: (inout Value, Entity) throws -> Void
    ) throws -> Value {
        var (value, isEmpty) = (initial, true)
        _ = try forEach(recordQuery(query), in: transaction) { entity, _, _ in
            isEmpty = false
            try ChangeFailure.wrapping { try update(&value, entity) }
        }
        if isEmpty { try checkMigrations(transaction) }
        return value
    }

    // MARK: Writing

    func save(contentsOf entities: [Entity], in transaction: inout WriteTransaction) throws {
        let keys = try entities.map { try key($0.id) }
        for index in try transaction.storageOrder(of: keys, in: mapping.collection) {
            try save(entities[index], keys[index], in: &transaction)
        }
    }

    /// Changes the entities that a query selects. Returns their number, and the position of the next page.
    func updateAll(
        _ query: Query<Entity>, in transaction: inout WriteTransaction, _ change: (inout Entity) throws -> Void
    ) throws -> (count: Int, next: Query<Entity>.Cursor?) {
        // Only the keys are collected before the first change, because the entities may need much memory.
        var keys: [Key] = []
        let next = try transaction.forEachView(matching: recordQuery(query)) { key, _ in
            keys.append(key)
            return .next
        }
        var count = 0
        for key in keys {
            let old = try replaced(key, in: transaction)
            guard var entity = try listed(old, key) else { continue }
            try ChangeFailure.wrapping { try change(&entity) }
            try replace(old, with: entity, key, in: &transaction)
            count += 1
        }
        return (count, try next.map(cursor))
    }

    private func listed(_ record: borrowing ReplacedRecord, _ key: Key) throws(DataStoreError) -> Entity? {
        switch record {
        case .stored(let record):
            try key.id.withBytes { (id) throws(DataStoreError) in try listed(record, id) }
        default: nil
        }
    }

    func remove(_ ids: [Entity.ID], in transaction: inout WriteTransaction) throws -> Int {
        try ids.count { try remove(key($0), in: &transaction) }
    }

    /// Removes all records of the collection, including records that cannot be decoded. Returns the number of entities.
    func removeAll(in transaction: inout WriteTransaction) throws -> Int {
        let expires = try expiry(in: transaction) != nil
        let count = expires ? try transaction.reading(mapping.collection) { try $0.count(matching: query) } : nil
        let removedCount = try transaction.removeAll(in: Scan(mapping.collection))
        return count ?? removedCount
    }
}
