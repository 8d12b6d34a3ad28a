extension Query where Entity.ID: FieldContent {
    /// Returns the condition of the entities from which the page is taken: the condition of the query, and that the
    /// entity comes after the cursor. `nil` selects all entities. `id` is the name of the field with the id.
    func pageFilter(id: String) throws(RepositoryError) -> Filter<Entity>? {
        guard let cursor else { return filter }
        guard cursor.values.count == sort.count else {
            throw RepositoryError(
                .programmingError,
                message: "the cursor belongs to a sort by \(cursor.values.count) fields, but the query sorts by "
                    + "\(sort.count); use the same sort for all pages")
        }
        // An entity comes after the cursor by one field if it is equal in all earlier ones.
        var (alternatives, equal): ([FilterTerm], [FilterTerm]) = ([], [])
        for (sort, value) in zip(sort, cursor.values) {
            alternatives.append(.and(equal + [sort.after(value)]))
            equal.append(value.map { .compare(sort.field, .equal, $0) } ?? .not(.exists(sort.field)))
        }
        alternatives.append(.and(equal + [.compare(id, .greater, cursor.id.operand)]))
        return filter && Filter(.or(alternatives))
    }
}

extension Sort {
    /// Returns the condition that a value comes after another one. A missing value comes first in ascending order.
    fileprivate func after(_ value: Operand?) -> FilterTerm {
        switch (value, isDescending) {
        case (nil, false): .exists(field)
        case (nil, true): .or([])
        case (let value?, false): .compare(field, .greater, value)
        case (let value?, true): .or([.compare(field, .less, value), .not(.exists(field))])
        }
    }
}
