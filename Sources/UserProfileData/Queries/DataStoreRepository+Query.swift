import DataStoreCore
public import UserProfileDomain

extension DataStoreRepository {
    /// A page of the entities that a query asks for, of one snapshot.
    ///
    /// It looks at all records of the collection; `RecordQuery` of `DataStoreCore` says when at fewer.
    public func find(_ query: Query<Entity>) async throws -> Page<Entity> {
        do {
            let recordQuery = try recordQuery(query)
            return try await store.read { transaction in
                var entities: [Entity] = []
                let next = try transaction.forEachView(matching: recordQuery) { key, record in
                    entities.append(try records.entity(of: record, try records.id(of: key), key))
                    return .next
                }
                return Page(entities: entities, next: try next.map(cursor))
            }
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    private func recordQuery(_ query: Query<Entity>) throws(DataStoreError) -> RecordQuery {
        let fields = mapping.queryFields
        var sort: [RecordQuery.SortKey] = []
        for key in query.sort {
            let field = try fields.named(key.field).field
            sort.append(key.isDescending ? .descending(field) : .ascending(field))
        }
        var condition: Condition?
        if let filter = query.filter { condition = try filter.term.condition(fields) }
        var cursor: RecordQuery.Cursor?
        if let place = query.cursor {
            cursor = RecordQuery.Cursor(
                values: place.values.map { $0.map(Value.init) }, id: try records.text(of: place.id))
        }
        return RecordQuery(mapping.collection, where: condition, sort: sort, limit: query.limit, after: cursor)
    }

    private func cursor(_ cursor: RecordQuery.Cursor) throws -> Query<Entity>.Cursor {
        let values = try cursor.values.map { value in
            guard let value else { return Operand?.none }
            guard let operand = value.operand else {
                throw DataStoreError(
                    .invalidQuery, "there are no pages by a field that is of the kind \(value.kind)",
                    operation: "find records")
            }
            return operand
        }
        return Query<Entity>.Cursor(values: values, id: try mapping.id(of: cursor.id))
    }
}
