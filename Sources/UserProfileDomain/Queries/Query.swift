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
    ///
    /// ```swift
    /// query.cursor = page.next        // continues after the last entity of the page
    /// ```
    public struct Cursor: Hashable, Sendable {
        /// The entity's values, one for each sort of the query. An element is `nil` if the field has no value.
        public let values: [Operand?]

        /// The id of the entity.
        public var id: Entity.ID { storage.id }

        private let storage: Storage

        // A reference has the same size for each type of id. Otherwise, code that does not know the type would look up
        // the size of a query or a page whenever it accesses one of their properties.
        private final class Storage: Hashable, Sendable {
            let id: Entity.ID
            init(_ id: Entity.ID) { self.id = id }
            static func == (left: Storage, right: Storage) -> Bool { left.id == right.id }
            func hash(into hasher: inout Hasher) { hasher.combine(id) }
        }

        /// Creates the position of an entity.
        ///
        /// - Parameters:
        ///   - values: The entity's values, one for each sort of the query, in the same order. An element is `nil` if
        ///     the field has no value.
        ///   - id: The id of the entity.
        public init(values: [Operand?], id: Entity.ID) {
            self.values = values
            storage = Storage(id)
        }
    }
}

/// A field by which a query sorts entities, and the direction of the order.
///
/// ```swift
/// let newest = try await notes.find(Query(sort: [.descending(\.due), .ascending(\.title)], limit: 20))
/// ```
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
