/// A field by which a query sorts entities, and the direction of the order.
public struct Sort<Entity>: Hashable, Sendable {
    /// The name of the field by which to sort.
    public let field: String

    /// Whether the greatest value comes first. If `false`, the least value comes first.
    public let isDescending: Bool

    /// Creates a sort by the name of a field.
    ///
    /// - Parameters:
    ///   - field: The name of a field of the entity.
    ///   - isDescending: Whether the greatest value comes first. If `false`, the least value comes first.
    package init(field: String, isDescending: Bool) {
        self.field = field
        self.isDescending = isDescending
    }
}

extension Sort where Entity: Queryable {
    /// Returns a sort by a field in ascending order: the least value comes first.
    public static func ascending<Content>(_ field: Filter<Entity>.Field<Content>) -> Sort {
        Sort(field: Entity.fields[keyPath: field].name, isDescending: false)
    }

    /// Returns a sort by a field in descending order: the greatest value comes first.
    public static func descending<Content>(_ field: Filter<Entity>.Field<Content>) -> Sort {
        Sort(field: Entity.fields[keyPath: field].name, isDescending: true)
    }
}
