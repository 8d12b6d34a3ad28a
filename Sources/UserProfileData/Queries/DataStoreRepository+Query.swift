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

    /// Shows the entities that a query asks for, of one snapshot.
    public func forEach(_ query: Query<Entity>, _ body: (Entity) throws -> Void) async throws {
        do {
            let recordQuery = try recordQuery(query)
            try await store.read { transaction in
                _ = try transaction.forEachView(matching: recordQuery) { key, record in
                    let entity = try records.entity(of: record, try records.id(of: key), key)
                    do {
                        try body(entity)
                    } catch {
                        throw ChangeFailure(cause: error)
                    }
                    return .next
                }
            }
        } catch let error as ChangeFailure {
            // What the caller's closure threw goes to the caller as it is.
            throw error.cause
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
        let cursor = query.cursor.map { cursor in
            RecordQuery.Cursor(values: cursor.values.map { $0.map(Value.init) }, id: mapping.text(of: cursor.id))
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
