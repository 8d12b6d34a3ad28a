/// A request for the entities that meet a condition, sorted and in pages.
///
/// ```swift
/// let query = Query<User>(
///     where: \.birthday < day && .exists(\.mailAddress), sort: [.ascending(\.birthday)], limit: 50)
/// ```
///
/// Entities are sorted by the first sort. Entities with equal values are sorted by the next sort, and finally by their
/// ids in ascending order. An entity without a value comes first in ascending order and last in descending order.
///
/// Pagination is stable under concurrent writes, because a page starts after the last entity of the previous page and
/// not at an offset. Pages neither repeat nor omit an entity unless a writer creates it, deletes it or changes its sort
/// values meanwhile.
public struct Query<Entity: Identifiable & Sendable>: Hashable, Sendable where Entity.ID: Hashable & Sendable {
    /// The condition that each returned entity meets, or `nil` to return all entities.
    public var filter: Filter<Entity>?

    /// The fields by which the entities are sorted, the most significant first.
    public var sort: [Sort<Entity>]

    /// The maximum number of entities, or `nil` for no limit. If the limit is less than 1, the query returns no
    /// entities.
    public var limit: Int?

    /// The position after which the page starts, or `nil` to start at the first entity.
    public var cursor: Cursor?

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - filter: The condition that each returned entity meets, or `nil` to return all entities.
    ///   - sort: The fields by which the entities are sorted, the most significant first.
    ///   - limit: The maximum number of entities, or `nil` for no limit.
    ///   - cursor: The ``Page/next`` position of the previous page, or `nil` for the first page. The sorts must be the
    ///     same for all pages.
    public init(
        where filter: Filter<Entity>? = nil, sort: [Sort<Entity>] = [], limit: Int? = nil, after cursor: Cursor? = nil
    ) {
        self.filter = filter
        self.sort = sort
        self.limit = limit
        self.cursor = cursor
    }

    /// The position of an entity in the order of a query. The next page starts after this entity.
    public struct Cursor: Hashable, Sendable {
        /// The entity's values, one for each sort of the query. An element is `nil` if the field has no value.
        public let values: [Operand?]

        /// The id of the entity.
        public let id: Entity.ID

        /// Creates the position of an entity.
        ///
        /// - Parameters:
        ///   - values: The entity's values, one for each sort of the query, in the same order. An element is `nil` if
        ///     the field has no value.
        ///   - id: The id of the entity.
        public init(values: [Operand?], id: Entity.ID) {
            self.values = values
            self.id = id
        }
    }
}
