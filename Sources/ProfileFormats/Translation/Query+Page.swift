import UserProfileDomain

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

/// The names of an entity's fields in another language.
struct FieldNames {
    let language: String
    let name: (String) -> String?

    /// Returns the name of a field. Throws an error if the language has no such field.
    func named(_ field: String) throws(RepositoryError) -> String {
        guard let name = name(field) else { throw unsupported("the field \(field)") }
        return name
    }

    func unsupported(_ condition: String) -> RepositoryError {
        RepositoryError(.programmingError, message: "\(language) cannot express \(condition)")
    }
}

extension Operand {
    /// Whether the value is not a number, and therefore neither equal to nor less than any value.
    var isNaN: Bool { if case .real(let number) = self { number.isNaN } else { false } }
}

extension String {
    /// Returns the text with a scalar inserted before each of some scalars. It is built from Unicode scalars, because a
    /// quote and a combining mark after it are one `Character`.
    func inserting(_ escape: Unicode.Scalar, before isSpecial: (Unicode.Scalar) -> Bool) -> String {
        var text = UnicodeScalarView()
        for scalar in unicodeScalars {
            if isSpecial(scalar) { text.append(escape) }
            text.append(scalar)
        }
        return String(text)
    }
}
