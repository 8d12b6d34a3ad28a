import DataStoreCore
import DataStoreQueries
import UserProfileDomain

extension EntityRecords {
    /// Translates a query of entities into a query of records.
    @specialized(where Mapping == UserMapping)
    func recordQuery(_ query: Query<Mapping.Entity>) throws -> RecordQuery {
        let fields = mapping.queryFields
        var sort: [RecordQuery.SortKey] = []
        for key in query.sort {
            let field = try fields.named(key.field).field
            sort.append(key.isDescending ? .descending(field) : .ascending(field))
        }
        if let idField { sort.append(.ascending(idField)) }
        var condition: Condition?
        if let filter = query.filter { condition = try filter.translated(by: ConditionTranslator(fields: fields)) }
        var cursor: RecordQuery.Cursor?
        if let position = query.cursor {
            let id = try text(of: position.id)
            var values = position.values.map { $0.map(Value.init) }
            if idField != nil { values.append(Int64(id).map { .integer($0) } ?? .string(id)) }
            cursor = RecordQuery.Cursor(values: values, id: id)
        }
        return RecordQuery(
            mapping.collection, where: condition, sort: sort, limit: query.limit, after: cursor,
            indexes: mapping.indexes)
    }

    /// Returns the index lookup that answers a query whose only condition is that an indexed field equals a value, and
    /// that has no sort, limit or cursor. Returns `nil` for any other query, or if the ids are integers.
    @specialized(where Mapping == UserMapping)
    func lookup(_ query: Query<Mapping.Entity>) throws -> IndexLookup? {
        guard case .compare(let name, .equal, let operand)? = query.filter?.term, query.sort.isEmpty,
            query.limit == nil, query.cursor == nil, idField == nil
        else { return nil }
        let field = try mapping.queryFields.named(name).field
        guard let index = mapping.indexes.first(where: { $0.field == field }) else { return nil }
        return IndexLookup(Value(operand), in: index, of: mapping.collection)
    }

    /// Translates the position of a record in a query's order into the position of its entity.
    func cursor(_ cursor: RecordQuery.Cursor) throws -> Query<Mapping.Entity>.Cursor {
        let values = try cursor.values.dropLast(idField == nil ? 0 : 1).map { value in
            guard let value else { return Operand?.none }
            guard let operand = value.operand else {
                throw DataStoreError(
                    .invalidQuery, "a field of the kind \(value.kind) cannot order pages",
                    operation: "find records")
            }
            return operand
        }
        return Query<Mapping.Entity>.Cursor(values: values, id: try mapping.id(of: cursor.id))
    }
}
