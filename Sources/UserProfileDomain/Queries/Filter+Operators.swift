extension Filter {
    /// Whether both hold.
    public static func && (left: Filter, right: Filter) -> Filter { Filter(.and([left.term, right.term])) }

    /// Whether one holds, or both.
    public static func || (left: Filter, right: Filter) -> Filter { Filter(.or([left.term, right.term])) }

    /// Whether the other does not hold.
    public static prefix func ! (other: Filter) -> Filter { Filter(.not(other.term)) }
}

/// Whether a field has a value.
@inlinable @inline(__always)
public func == <Entity: Queryable, Content>(
    field: KeyPath<Entity.Fields, EntityField<Entity, Content>>, value: Content
) -> Filter<Entity> {
    .compare(field, .equal, value)
}

/// Whether a field has another value, or none.
@inlinable @inline(__always)
public func != <Entity: Queryable, Content>(
    field: KeyPath<Entity.Fields, EntityField<Entity, Content>>, value: Content
) -> Filter<Entity> {
    .compare(field, .notEqual, value)
}

/// Whether a field's value comes before a value.
@inlinable @inline(__always)
public func < <Entity: Queryable, Content: Comparable>(
    field: KeyPath<Entity.Fields, EntityField<Entity, Content>>, value: Content
) -> Filter<Entity> {
    .compare(field, .less, value)
}

/// Whether a field's value comes before a value or is equal.
@inlinable @inline(__always)
public func <= <Entity: Queryable, Content: Comparable>(
    field: KeyPath<Entity.Fields, EntityField<Entity, Content>>, value: Content
) -> Filter<Entity> {
    .compare(field, .lessOrEqual, value)
}

/// Whether a field's value comes after a value.
@inlinable @inline(__always)
public func > <Entity: Queryable, Content: Comparable>(
    field: KeyPath<Entity.Fields, EntityField<Entity, Content>>, value: Content
) -> Filter<Entity> {
    .compare(field, .greater, value)
}

/// Whether a field's value comes after a value or is equal.
@inlinable @inline(__always)
public func >= <Entity: Queryable, Content: Comparable>(
    field: KeyPath<Entity.Fields, EntityField<Entity, Content>>, value: Content
) -> Filter<Entity> {
    .compare(field, .greaterOrEqual, value)
}

extension Filter where Entity: Queryable {
    // Inlined, so that the compiler sees which field a key path that is written down leads to: to look at run time
    // takes a twentieth of a query by one field.
    @inlinable @inline(__always)
    static func compare<Content>(
        _ field: Field<Content>, _ comparison: FilterTerm.Comparison, _ value: Content
    ) -> Filter {
        Filter(.compare(name(field), comparison, value.operand))
    }
}
