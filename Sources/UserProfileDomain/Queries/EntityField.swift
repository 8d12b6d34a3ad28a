/// A field of an entity type that queries can filter and sort by.
///
/// Declare one constant for each field in the `Fields` of a ``Queryable`` entity. The name of a field of a `Codable`
/// type consists of coding keys separated by dots, e.g. `place.name`. The suffix `[]` refers to every element of an
/// array, e.g. `tags[]`.
public struct EntityField<Entity, Content: FieldContent>: Hashable, Sendable {
    /// The name by which a repository finds the field in a stored entity.
    @usableFromInline package let name: String

    /// Creates a field.
    ///
    /// - Parameter name: A name that is unique among the fields of the entity type.
    public init(_ name: String) { self.name = name }
}

/// A field that contains several parts, each with fields of its own, e.g. the daily forecasts in a city's weather.
///
/// Declare one constant for each such field so that a query can find entities by a condition on a single part. See
/// ``Filter/any(_:_:)``.
public struct EntityParts<Entity, Part>: Hashable, Sendable {
    /// The name by which a repository finds the field in a stored entity.
    @usableFromInline package let name: String

    /// Creates a field that contains parts.
    ///
    /// - Parameter name: A name that is unique among the fields of the entity type.
    public init(_ name: String) { self.name = name }
}
