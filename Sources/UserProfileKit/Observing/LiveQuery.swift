public import Observation
public import RecordCoding
public import UserProfileDomain

/// A model of a list that follows the result of a query. It reads again when a changed entity meets, or has met, the
/// condition.
///
/// ```swift
/// let trips = LiveQuery(Query(where: \.status == .open, limit: 50), in: try storage.repository(of: Trip.self))
/// List(trips.entities) { Text($0.title) }
/// trips.query.limit = 100  // when the user reaches the end of the list
/// ```
///
/// See ``LiveValue`` for what all live models have in common.
@Observable @MainActor
public final class LiveQuery<Entity: Identifiable & Sendable>: LiveValue<Page<Entity>> where Entity.ID: Sendable {
    @ObservationIgnored private let repository: any Repository<Entity>

    /// The query. After a change, the model keeps its value until the result of the new query arrives.
    public var query: Query<Entity> {
        didSet { if query != oldValue { follow(repository.updates(matching: query)) } }
    }

    /// Creates a model that starts to read at once.
    ///
    /// - Parameters:
    ///   - query: The query. Without one, the list contains all entities.
    ///   - repository: The repository of the entities.
    public init(_ query: Query<Entity> = Query(), in repository: any Repository<Entity>) {
        self.query = query
        self.repository = repository
        super.init(Page(entities: [], next: nil), repository.updates(matching: query))
    }

    /// The entities that the query selects. To load more of them, increase the limit of ``query``.
    public var entities: [Entity] { value.entities }
}

/// A model of a screen that follows one entity. Its value is `nil` while the entity does not exist.
///
/// ```swift
/// let me = LiveEntity(.me, in: storage.users)
/// Text(me.value?.mailAddress?.text ?? "no address")
/// ```
public typealias LiveEntity<Entity: Sendable> = LiveValue<Entity?>

extension LiveValue {
    /// Creates a model that follows an entity.
    ///
    /// - Parameters:
    ///   - id: The id of the entity.
    ///   - repository: The repository of the entity.
    public convenience init<Entity: Identifiable & Sendable>(
        _ id: Entity.ID, in repository: any Repository<Entity>
    ) where Value == Entity?, Entity.ID: Sendable {
        self.init(nil, repository.updates(of: id))
    }
}

/// A model of a screen that follows one setting.
///
/// ```swift
/// let theme = LiveSetting(.theme, in: try storage.settings())
/// ```
public typealias LiveSetting<Content: Sendable> = LiveValue<Content>

extension LiveValue where Value: Codable {
    /// Creates a model that follows a setting. Until the first read, its value is the default of the field.
    ///
    /// ```swift
    /// let theme = LiveSetting(.theme, in: try storage.settings())
    /// ```
    ///
    /// - Parameters:
    ///   - field: The field of the setting.
    ///   - settings: The group of settings.
    public convenience init(_ field: Field<Value>, in settings: Settings) {
        self.init(field.defaultValue, settings.updates(of: field))
    }
}
