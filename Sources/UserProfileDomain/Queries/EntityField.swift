/// A field of an entity that queries can ask for, and what it holds.
public struct EntityField<Entity, Content: FieldContent>: Hashable, Sendable {
    /// The name, by which whoever keeps the entities knows the field.
    @usableFromInline package let name: String

    /// Names a field.
    ///
    /// - Parameter name: the name; another one for each field of the entity.
    public init(_ name: String) { self.name = name }
}

/// A field of an entity that holds any number of parts with fields of their own.
public struct EntityParts<Entity, Part>: Hashable, Sendable {
    /// The name, by which whoever keeps the entities knows the field.
    @usableFromInline package let name: String

    /// Names a field.
    ///
    /// - Parameter name: the name; another one for each field of the entity.
    public init(_ name: String) { self.name = name }
}
