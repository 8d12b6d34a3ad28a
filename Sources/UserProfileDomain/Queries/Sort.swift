/// A field that entities are sorted by, and the direction.
public struct Sort<Entity>: Hashable, Sendable {
    /// The name of the field.
    public let field: String

    /// Whether the greatest comes first.
    public let isDescending: Bool

    /// Describes a sort by a field that is known by its name.
    ///
    /// - Parameters:
    ///   - field: the name of a field of the entity.
    ///   - isDescending: whether the greatest comes first.
    package init(field: String, isDescending: Bool) {
        self.field = field
        self.isDescending = isDescending
    }
}

extension Sort where Entity: Queryable {
    /// The least first.
    public static func ascending<Content>(_ field: Filter<Entity>.Field<Content>) -> Sort {
        Sort(field: Entity.fields[keyPath: field].name, isDescending: false)
    }

    /// The greatest first.
    public static func descending<Content>(_ field: Filter<Entity>.Field<Content>) -> Sort {
        Sort(field: Entity.fields[keyPath: field].name, isDescending: true)
    }
}
