extension DataStoreRepository {
    /// Returns a page of the entities that a query selects, from one snapshot.
    ///
    /// It uses an index of the collection if one is suitable. Otherwise it reads all records of the collection.
    package func find(_ query: Query<Entity>) async throws -> Page<Entity> {
        // The query is translated within the transaction, for which the store loads the keys of sealed fields.
        try await store.readConvertingErrors { transaction in
            guard let (lookup, value) = try lookup(query),
                let entities = try records.entities(lookup, value, in: transaction)
            else { return try records.page(query, in: transaction) }
            // `isEmpty` would look up the type of the array.
            if entities.count == 0 { try records.checkMigrations(transaction) }
            return Page(entities: entities, next: nil)
        }
    }

    /// Returns the index lookup that answers a query, and the value to find. The only condition of the query must be
    /// that an indexed field equals a value, and the query must have no sort, limit or cursor. Returns `nil` for any
    /// other query.
    private func lookup(_ query: Query<Entity>) throws(DataStoreError) -> (FieldLookup, Value)? {
        guard case .compare(let name, .equal, let operand)? = query.filter?.term, query.sort.count == 0,
            query.limit == nil, query.cursor == nil, let lookup = lookups.first(where: { $0.name == name })
        else { return nil }
        return (lookup, try lookup.value(operand))
    }

    /// Runs a query and reports which index it used and how many records it read, and why it did not use other indexes.
    package func explain(_ query: Query<Entity>) async throws -> QueryExplanation {
        do {
            var report = try await store.read { try $0.explain(records.recordQuery(query)) }
            let indexes = try await store.indexes().filter { $0.collection == mapping.collection }
            report.unusedIndexes += indexes.compactMap(\.advice)
            return report
        } catch {
            throw RepositoryError.mapped(error)
        }
    }

    /// Returns the number of entities for each value of a field, without decoding the entities. Values that queries
    /// cannot compare are omitted.
    package func groups(
        by field: String, where filter: Filter<Entity>?, isDescending: Bool, limit: Int?
    ) async throws -> [FieldGroup] {
        try await read { try $0.groups(by: field, where: filter, isDescending: isDescending, limit: limit) }
    }

    /// Combines the entities that a query selects into one value, within one snapshot. An error of `update` is thrown
    /// unchanged.
    package func reduce<Value: Sendable>(
        _ query: Query<Entity>, into initial: Value, _ update: @Sendable (inout Value, Entity) throws -> Void
    ) async throws -> Value {
        try await read { try $0.reduce(query, into: initial, update) }
    }
}
