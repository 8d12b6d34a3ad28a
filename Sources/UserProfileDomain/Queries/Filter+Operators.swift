extension Filter {
    /// Returns a filter that matches an entity if both filters match it.
    public static func && (left: Filter, right: Filter) -> Filter { Filter(.and([left.term, right.term])) }

    /// Returns a filter that matches an entity if at least one of two filters matches it.
    public static func || (left: Filter, right: Filter) -> Filter { Filter(.or([left.term, right.term])) }

    /// Returns a filter that matches an entity if another filter does not match it.
    public static prefix func ! (other: Filter) -> Filter { Filter(.not(other.term)) }

    /// Returns a filter that matches an entity if all of several filters match it. Without a filter, it always matches.
    public static func all(of filters: some Sequence<Filter>) -> Filter { Filter(.and(filters.map(\.term))) }

    /// Returns a filter that matches an entity if at least one of several filters matches it. Without a filter, it
    /// never matches.
    public static func any(of filters: some Sequence<Filter>) -> Filter { Filter(.or(filters.map(\.term))) }
}

/// Returns a filter that matches an entity if both filters match it. A filter that is `nil` is ignored. If both are
/// `nil`, the result is `nil`.
public func && <Entity>(left: Filter<Entity>?, right: Filter<Entity>?) -> Filter<Entity>? {
    guard let left, let right else { return left ?? right }
    return left && right
}

/// Returns a filter that matches an entity if the value of a field equals the given value. If the given value is `nil`,
/// the filter matches an entity if the field has no value.
@inlinable @inline(__always)
public func == <Entity: Queryable, Content>(
    field: KeyPath<Entity.Fields, EntityField<Entity, Content>>, value: Content?
) -> Filter<Entity> {
    guard let value else { return !.exists(field) }
    return .compare(field, .equal, value)
}

/// Returns a filter that matches an entity if the value of a field differs from the given value, or if the field has no
/// value. If the given value is `nil`, the filter matches an entity if the field has a value.
@inlinable @inline(__always)
public func != <Entity: Queryable, Content>(
    field: KeyPath<Entity.Fields, EntityField<Entity, Content>>, value: Content?
) -> Filter<Entity> {
    guard let value else { return .exists(field) }
    return .compare(field, .notEqual, value)
}

/// Returns a filter that matches an entity if the value of a field is less than the given value.
@inlinable @inline(__always)
public func < <Entity: Queryable, Content: Comparable>(
    field: KeyPath<Entity.Fields, EntityField<Entity, Content>>, value: Content
) -> Filter<Entity> {
    .compare(field, .less, value)
}

/// Returns a filter that matches an entity if the value of a field is less than or equal to the given value.
@inlinable @inline(__always)
public func <= <Entity: Queryable, Content: Comparable>(
    field: KeyPath<Entity.Fields, EntityField<Entity, Content>>, value: Content
) -> Filter<Entity> {
    .compare(field, .lessOrEqual, value)
}

/// Returns a filter that matches an entity if the value of a field is greater than the given value.
@inlinable @inline(__always)
public func > <Entity: Queryable, Content: Comparable>(
    field: KeyPath<Entity.Fields, EntityField<Entity, Content>>, value: Content
) -> Filter<Entity> {
    .compare(field, .greater, value)
}

/// Returns a filter that matches an entity if the value of a field is greater than or equal to the given value.
@inlinable @inline(__always)
public func >= <Entity: Queryable, Content: Comparable>(
    field: KeyPath<Entity.Fields, EntityField<Entity, Content>>, value: Content
) -> Filter<Entity> {
    .compare(field, .greaterOrEqual, value)
}

extension Filter where Entity: Queryable {
    // Inlined so that the compiler resolves a literal key path. Resolving the key path at run time takes 5 % of the
    // time of a query by one field.
    @inlinable @inline(__always)
    static func compare<Content>(_ field: Field<Content>, _ comparison: FilterComparison, _ value: Content) -> Filter {
        Filter(.compare(name(field), comparison, value.operand))
    }
}
