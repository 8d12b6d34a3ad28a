/// The entities that a query found, and the position from which the next query continues.
///
/// ```swift
/// var query = Query<User>(sort: [.ascending(\.birthday)], limit: 50)
/// repeat {
///     let page = try await users.find(query)
///     show(page.entities)
///     query.cursor = page.next
/// } while query.cursor != nil
/// ```
public struct Page<Entity: Identifiable & Sendable>: Sendable where Entity.ID: Hashable & Sendable {
    /// The entities that the query found, in the order of the query.
    public let entities: [Entity]

    /// The position from which the next page starts, or `nil` if this is the last page.
    ///
    /// A page with as many entities as the limit always has a next position, even if no entity follows. The next page
    /// is then empty.
    public let next: Query<Entity>.Cursor?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - entities: The entities that the query found, in the order of the query.
    ///   - next: The position from which the next page starts, or `nil` if this is the last page.
    public init(entities: [Entity], next: Query<Entity>.Cursor?) {
        self.entities = entities
        self.next = next
    }
}

extension Page: Equatable where Entity: Equatable {}
