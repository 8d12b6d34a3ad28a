extension EntityRecords {
    /// A query of all records.
    var query: RecordQuery {
        var query = RecordQuery(mapping.collection, indexes: indexes)
        query.now = store.now
        return query
    }

    /// Translates a query of entities into a query of records.
    func recordQuery(_ query: Query<Mapping.Entity>) throws -> RecordQuery {
        let fields = mapping.queryFields
        var found = self.query
        found.limit = query.limit
        let sorted = try query.sort.map { try fields.named($0.field) }
        for (key, field) in zip(query.sort, sorted) {
            found.sort.append(key.isDescending ? .descending(field.field) : .ascending(field.field))
        }
        if let idField { found.sort.append(.ascending(idField)) }
        found.condition = try query.filter?.term.condition(fields)
        if let position = query.cursor {
            let id = try text(of: position.id)
            try RecordQuery.Cursor.check(position.values.count, sortCount: sorted.count)
            var values = try zip(position.values, sorted).map { value, field in try value.map(field.value) }
            if idField != nil { values.append(Int64(id).map { .integer($0) } ?? .string(id)) }
            found.cursor = RecordQuery.Cursor(values: values, id: id)
        }
        return found
    }

    /// The lookups of the entity's fields that have an index. The array is empty if the ids are integers.
    var lookups: [FieldLookup] {
        guard idField == nil else { return [] }
        let fields = mapping.queryFields
        return indexes.flatMap { index in
            fields.filter { $0.value.field == index.field }
                .map { FieldLookup($0.key, $0.value, in: index, of: mapping.collection) }
        }
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
        do {
            return Query<Mapping.Entity>.Cursor(values: values, id: try mapping.id(of: cursor.id))
        } catch {
            throw readError(error, Key(stored: cursor.id, in: mapping.collection))
        }
    }
}
