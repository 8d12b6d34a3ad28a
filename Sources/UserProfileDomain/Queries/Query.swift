/// Which entities are wanted, in which order, and how many at a time.
///
/// ```swift
/// let query = Query<User>(
///     where: \.birthday < day && .exists(\.mailAddress), sort: [.ascending(\.birthday)], limit: 50)
/// ```
///
/// Answers come by the first sort, those that tie in it by the next, and at last by id, ascending. What has no value
/// comes first; descending is the reverse of ascending. The next page begins behind the last answer of the one before,
/// by its place in the order and not by a number, so pages stay right while others write: an entity that is there all
/// the time and whose sort values do not change is neither shown twice nor left out.
public struct Query<Entity: Identifiable & Sendable>: Hashable, Sendable where Entity.ID: Hashable & Sendable {
    /// What the entities must be like; nil for all of them.
    public var filter: Filter<Entity>?

    /// By what they are sorted, the most important first.
    public var sort: [Sort<Entity>]

    /// How many at most; nil for all. A limit below 1 gives none.
    public var limit: Int?

    /// Where the page begins; nil: at the first.
    public var cursor: Cursor?

    /// Describes what is wanted.
    ///
    /// - Parameters:
    ///   - filter: what the entities must be like; nil for all of them.
    ///   - sort: by what they are sorted, the most important first.
    ///   - limit: how many at most; nil for all.
    ///   - cursor: where the page begins: the one of the page before. The sort must be the same.
    public init(
        where filter: Filter<Entity>? = nil, sort: [Sort<Entity>] = [], limit: Int? = nil, after cursor: Cursor? = nil
    ) {
        self.filter = filter
        self.sort = sort
        self.limit = limit
        self.cursor = cursor
    }

    /// The place of an entity in the order of a query.
    public struct Cursor: Hashable, Sendable {
        /// The entity's value under each sort; nil where it has none.
        public let values: [Operand?]

        /// The entity's id.
        public let id: Entity.ID

        /// Describes a place.
        ///
        /// - Parameters:
        ///   - values: the value under each sort, in their order; nil for none.
        ///   - id: the id.
        public init(values: [Operand?], id: Entity.ID) {
            self.values = values
            self.id = id
        }
    }
}
