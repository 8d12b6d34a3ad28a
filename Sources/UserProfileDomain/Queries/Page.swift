/// Entities that a query found, and where the next ones begin.
public struct Page<Entity: Identifiable & Sendable>: Sendable where Entity.ID: Hashable & Sendable {
    /// The entities, in the order of the query.
    public let entities: [Entity]

    /// Where the next page begins; nil where this is the last. (It is there as soon as the page is full, so the next
    /// one may turn out to be empty.)
    public let next: Query<Entity>.Cursor?

    /// Puts entities and a cursor together.
    ///
    /// - Parameters:
    ///   - entities: the entities, in the order of the query.
    ///   - next: where the next page begins; nil where this is the last.
    public init(entities: [Entity], next: Query<Entity>.Cursor?) {
        self.entities = entities
        self.next = next
    }
}

extension Page: Equatable where Entity: Equatable {}
