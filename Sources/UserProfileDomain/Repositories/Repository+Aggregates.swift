extension Repository where Entity: Queryable {
    /// Returns the least value of a field among the entities that meet a filter.
    ///
    /// - Parameters:
    ///   - field: The field whose values are compared.
    ///   - filter: The condition that selects entities, or `nil` to select all entities.
    /// - Returns: The least value, or `nil` if no selected entity has a value.
    /// - Throws: ``RepositoryError`` if the read fails or a stored value is not of the type `Content`, or
    ///   `CancellationError` if the task is cancelled.
    public func min<Content>(
        of field: Filter<Entity>.Field<Content>, where filter: Filter<Entity>? = nil
    ) async throws -> Content? {
        try await contents(of: field, where: filter && Filter.exists(field), limit: 1).first?.content ?? nil
    }

    /// Returns the greatest value of a field among the entities that meet a filter.
    ///
    /// - Parameters:
    ///   - field: The field whose values are compared.
    ///   - filter: The condition that selects entities, or `nil` to select all entities.
    /// - Returns: The greatest value, or `nil` if no selected entity has a value.
    /// - Throws: ``RepositoryError`` if the read fails or a stored value is not of the type `Content`, or
    ///   `CancellationError` if the task is cancelled.
    public func max<Content>(
        of field: Filter<Entity>.Field<Content>, where filter: Filter<Entity>? = nil
    ) async throws -> Content? {
        let filter = filter && Filter.exists(field)
        return try await contents(of: field, where: filter, isDescending: true, limit: 1).first?.content ?? nil
    }

    /// Returns the sum of the values of a field. Entities without a value are ignored.
    ///
    /// The distinct values are loaded into memory and added in ascending order, so a sum of floating-point numbers is
    /// the same in every store.
    ///
    /// - Parameters:
    ///   - field: The field whose values are added.
    ///   - filter: The condition that selects entities, or `nil` to select all entities.
    /// - Returns: The sum, or zero if no selected entity has a value.
    /// - Throws: ``RepositoryError`` if the read fails, if a stored value is not of the type `Content`, or if the sum
    ///   exceeds the range of an integer type. `CancellationError` if the task is cancelled.
    public func sum<Content: Numeric>(
        of field: Filter<Entity>.Field<Content>, where filter: Filter<Entity>? = nil
    ) async throws -> Content {
        try await contents(of: field, where: filter && Filter.exists(field))
            .reduce(.zero) { sum, group in try group.content.map { try sum.adding($0, group.count) } ?? sum }
    }

    /// Returns the number of entities for each value of a field. The key `nil` stands for the entities without a value.
    ///
    /// - Parameters:
    ///   - field: The field by whose values the entities are counted.
    ///   - filter: The condition that selects entities, or `nil` to select all entities.
    /// - Returns: The numbers of entities by value. An entity with several values is counted once for each value.
    /// - Throws: ``RepositoryError`` if the read fails or a stored value is not of the type `Content`, or
    ///   `CancellationError` if the task is cancelled.
    public func counts<Content: Hashable>(
        by field: Filter<Entity>.Field<Content>, where filter: Filter<Entity>? = nil
    ) async throws -> [Content?: Int] {
        // The groups of 0.0 and -0.0 have the same key, because the two numbers are equal.
        try await contents(of: field, where: filter).reduce(into: [:]) { $0[$1.content, default: 0] += $1.count }
    }

    /// Returns the distinct values of a field, in ascending order.
    ///
    /// - Parameters:
    ///   - field: The field whose values are returned.
    ///   - filter: The condition that selects entities, or `nil` to select all entities.
    /// - Returns: The values. An entity without a value is ignored.
    /// - Throws: ``RepositoryError`` if the read fails or a stored value is not of the type `Content`, or
    ///   `CancellationError` if the task is cancelled.
    public func distinct<Content>(
        _ field: Filter<Entity>.Field<Content>, where filter: Filter<Entity>? = nil
    ) async throws -> [Content] {
        try await contents(of: field, where: filter && Filter.exists(field)).compactMap(\.content)
    }

    private func contents<Content>(
        of field: Filter<Entity>.Field<Content>, where filter: Filter<Entity>?, isDescending: Bool = false,
        limit: Int? = nil
    ) async throws -> [(content: Content?, count: Int)] {
        let name = Filter.name(field)
        return try await groups(by: name, where: filter, isDescending: isDescending, limit: limit).contents(of: name)
    }
}

// The same functions within a snapshot or a unit of work.
extension SnapshotRepository where Entity: Queryable {
    /// Returns the least value of a field among the entities that meet a filter, or `nil` if none has a value.
    public func min<Content>(
        of field: Filter<Entity>.Field<Content>, where filter: Filter<Entity>? = nil
    ) throws -> Content? {
        try contents(of: field, where: filter && Filter.exists(field), limit: 1).first?.content ?? nil
    }

    /// Returns the greatest value of a field among the entities that meet a filter, or `nil` if none has a value.
    public func max<Content>(
        of field: Filter<Entity>.Field<Content>, where filter: Filter<Entity>? = nil
    ) throws -> Content? {
        let filter = filter && Filter.exists(field)
        return try contents(of: field, where: filter, isDescending: true, limit: 1).first?.content ?? nil
    }

    /// Returns the sum of the values of a field. See ``Repository/sum(of:where:)``.
    public func sum<Content: Numeric>(
        of field: Filter<Entity>.Field<Content>, where filter: Filter<Entity>? = nil
    ) throws -> Content {
        try contents(of: field, where: filter && Filter.exists(field))
            .reduce(.zero) { sum, group in try group.content.map { try sum.adding($0, group.count) } ?? sum }
    }

    /// Returns the number of entities for each value of a field. See ``Repository/counts(by:where:)``.
    public func counts<Content: Hashable>(
        by field: Filter<Entity>.Field<Content>, where filter: Filter<Entity>? = nil
    ) throws -> [Content?: Int] {
        // The groups of 0.0 and -0.0 have the same key, because the two numbers are equal.
        try contents(of: field, where: filter).reduce(into: [:]) { $0[$1.content, default: 0] += $1.count }
    }

    /// Returns the distinct values of a field, in ascending order.
    public func distinct<Content>(
        _ field: Filter<Entity>.Field<Content>, where filter: Filter<Entity>? = nil
    ) throws -> [Content] {
        try contents(of: field, where: filter && Filter.exists(field)).compactMap(\.content)
    }

    private func contents<Content>(
        of field: Filter<Entity>.Field<Content>, where filter: Filter<Entity>?, isDescending: Bool = false,
        limit: Int? = nil
    ) throws -> [(content: Content?, count: Int)] {
        let name = Filter.name(field)
        return try groups(by: name, where: filter, isDescending: isDescending, limit: limit).contents(of: name)
    }
}

extension [FieldGroup] {
    /// Returns the values of a field as values of its type, each with the number of entities. The group of the entities
    /// without a value has the content `nil`.
    fileprivate func contents<Content: FieldContent>(
        of field: String
    ) throws(RepositoryError) -> [(content: Content?, count: Int)] {
        try map { group throws(RepositoryError) in
            guard let value = group.value else { return (nil, group.count) }
            guard let content = Content(operand: value) else {
                throw RepositoryError(.corrupted, message: "a stored value of \(field) is not a \(Content.self)")
            }
            return (content, group.count)
        }
    }
}

extension Repository {
    /// Counts the entities for each value of a field.
    ///
    /// This default implementation runs three queries for each value. One finds the value, and the others count
    /// entities.
    ///
    /// It throws an error if an entity has several values of the field, because queries find only the value by which
    /// the entity is sorted. A repository of such entities must implement the function itself.
    public func groups(
        by field: String, where filter: Filter<Entity>?, isDescending: Bool, limit: Int?
    ) async throws -> [FieldGroup] {
        var groups: [FieldGroup] = []
        func add(_ value: Operand?, _ term: FilterTerm) async throws {
            let count = try await count(where: filter && Filter(term))
            if count > 0, groups.count < limit ?? .max { groups.append(FieldGroup(value: value, count: count)) }
        }
        if !isDescending { try await add(nil, .not(.exists(field))) }
        var term = FilterTerm.exists(field)
        let sort = Sort<Entity>(field: field, isDescending: isDescending)
        while groups.count < limit ?? .max {
            let page = try await find(Query(where: filter && Filter(term), sort: [sort], limit: 1))
            guard let value = page.next?.values.first ?? nil else { break }
            // Queries find an entity with several values only at the value by which they sort it.
            let isOnBothSides = FilterTerm.and([.compare(field, .lessOrEqual, value), .compare(field, .greater, value)])
            guard try await count(where: filter && Filter(isOnBothSides)) == 0 else {
                throw RepositoryError(
                    .programmingError,
                    message: "an entity has several values of \(field); implement groups(by:where:isDescending:limit:) "
                        + "in the repository")
            }
            try await add(value, .compare(field, .equal, value))
            term = .compare(field, isDescending ? .less : .greater, value)
        }
        if isDescending { try await add(nil, .not(.exists(field))) }
        return groups
    }
}

extension Numeric {
    /// Returns the sum of this number and `count` times another number. Throws an error if it is out of range.
    func adding(_ other: Self, _ count: Int = 1) throws(RepositoryError) -> Self {
        func sum<Number: FixedWidthInteger>(_ number: Number) -> Self? {
            guard let count = Number(exactly: count), let other = other as? Number else { return nil }
            let (product, isTooLarge) = other.multipliedReportingOverflow(by: count)
            let (sum, isBeyond) = number.addingReportingOverflow(product)
            return isTooLarge || isBeyond ? nil : sum as? Self
        }
        let integer = self as? any FixedWidthInteger
        guard let sum = integer.map({ sum($0) }) ?? Self(exactly: count).map({ self + other * $0 }) else {
            throw RepositoryError(.unexpected, message: "a sum exceeds the range of \(Self.self)")
        }
        return sum
    }
}
