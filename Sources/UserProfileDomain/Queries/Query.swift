/// A request for the entities that meet a condition, in a given order and page by page.
///
/// ```swift
/// let query = Query<User>(
///     where: \.birthday < day && .exists(\.mailAddress), sort: [.ascending(\.birthday)], limit: 50)
/// ```
///
/// The first sort determines the order, the next sorts order ties, and ids in ascending order decide last. A missing
/// value sorts first; descending order is the exact reverse of ascending order.
///
/// Pagination is stable under concurrent writes, because a page starts after the last entity of the previous one and
/// not at an offset. Pages neither repeat nor omit an entity that exists throughout and whose sort values do not
/// change.
public struct Query<Entity: Identifiable & Sendable>: Hashable, Sendable where Entity.ID: Hashable & Sendable {
    /// The condition, or `nil` for all entities.
    public var filter: Filter<Entity>?

    /// The sorts, the most significant first.
    public var sort: [Sort<Entity>]

    /// The maximum number of entities, or `nil` for all. A limit below 1 returns no entities.
    public var limit: Int?

    /// The position after which the page starts, or `nil` to start at the first entity.
    public var cursor: Cursor?

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - filter: The condition, or `nil` for all entities.
    ///   - sort: The sorts, the most significant first.
    ///   - limit: The maximum number of entities, or `nil` for all.
    ///   - cursor: The position after which the page starts, taken from the previous page. The sorts must be the same.
    public init(
        where filter: Filter<Entity>? = nil, sort: [Sort<Entity>] = [], limit: Int? = nil, after cursor: Cursor? = nil
    ) {
        self.filter = filter
        self.sort = sort
        self.limit = limit
        self.cursor = cursor
    }

    /// The position of an entity in the order of a query.
    public struct Cursor: Hashable, Sendable {
        /// The entity's value for each sort, or `nil` if it has none.
        public let values: [Operand?]

        /// The entity's id.
        public let id: Entity.ID

        /// Creates a position.
        ///
        /// - Parameters:
        ///   - values: The value for each sort, in the order of the sorts, or `nil` for none.
        ///   - id: The entity's id.
        public init(values: [Operand?], id: Entity.ID) {
            self.values = values
            self.id = id
        }
    }
}
