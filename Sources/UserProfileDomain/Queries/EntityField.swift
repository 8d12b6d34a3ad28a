/// A field of an entity that queries can use, with the type of its content.
///
/// Declare one constant for each field in the `Fields` of a ``Queryable`` entity.
public struct EntityField<Entity, Content: FieldContent>: Hashable, Sendable {
    /// The name that identifies the field in the repository.
    @usableFromInline package let name: String

    /// Creates a field.
    ///
    /// - Parameter name: The name, unique among the fields of the entity.
    public init(_ name: String) { self.name = name }
}

/// A field of an entity that holds any number of parts, which have fields of their own.
///
/// Declare one if a query should find entities by a condition on a single part.
public struct EntityParts<Entity, Part>: Hashable, Sendable {
    /// The name that identifies the field in the repository.
    @usableFromInline package let name: String

    /// Creates a field.
    ///
    /// - Parameter name: The name, unique among the fields of the entity.
    public init(_ name: String) { self.name = name }
}
