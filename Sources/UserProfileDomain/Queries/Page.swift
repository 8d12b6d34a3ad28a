/// The entities that a query found, and the position of the next page.
public struct Page<Entity: Identifiable & Sendable>: Sendable where Entity.ID: Hashable & Sendable {
    /// The entities, in the order of the query.
    public let entities: [Entity]

    /// The position of the next page, or `nil` on the last page. A full page always has one, so the next page may be
    /// empty.
    public let next: Query<Entity>.Cursor?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - entities: The entities, in the order of the query.
    ///   - next: The position of the next page, or `nil` on the last page.
    public init(entities: [Entity], next: Query<Entity>.Cursor?) {
        self.entities = entities
        self.next = next
    }
}

extension Page: Equatable where Entity: Equatable {}
