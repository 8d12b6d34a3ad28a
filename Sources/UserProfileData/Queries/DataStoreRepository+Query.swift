import DataStoreCore
public import UserProfileDomain

extension DataStoreRepository {
    /// A page of the entities that a query asks for, of one snapshot.
    ///
    /// It uses an index of the mapping where one helps, and looks at all records of the collection otherwise.
    public func find(_ query: Query<Entity>) async throws -> Page<Entity> {
        do {
            let recordQuery = try recordQuery(query)
            // Not the result of the closure: what is passed on by code that does not know its type is copied.
            var entities: [Entity] = []
            var next: RecordQuery.Cursor?
            try await store.read { transaction in
                next = try transaction.forEachView(matching: recordQuery) { key, record in
                    entities.append(try records.entity(of: record, try records.id(of: key), key))
                    return .next
                }
            }
            return Page(entities: entities, next: try next.map(cursor))
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Looks for the entities that a query asks for, and says how they were found.
    public func explain(_ query: Query<Entity>) async throws -> QueryExplanation {
        do {
            let recordQuery = try recordQuery(query)
            let report = try await store.read { transaction in try transaction.explain(recordQuery) }
            return QueryExplanation(
                index: report.index, isInOrder: report.isInOrder, entryCount: report.entryCount,
                entityCount: report.recordCount, foundCount: report.foundCount)
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

    /// The entities of a page of records.
    func page(of page: RecordQuery.Page) throws -> Page<Entity> {
        let entities = try page.entries.map { entry in
            try records.entity(of: RecordView(entry.record), try records.id(of: entry.key), entry.key)
        }
        return Page(entities: entities, next: try page.next.map(cursor))
    }

    func recordQuery(_ query: Query<Entity>) throws(DataStoreError) -> RecordQuery {
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
        return RecordQuery(
            mapping.collection, where: condition, sort: sort, limit: query.limit, after: cursor,
            indexes: mapping.indexes)
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
