public import Observation

/// A model of a screen that follows saved data: its ``value`` is always the newest one, whichever process changes it.
///
/// ```swift
/// let count = LiveValue(0, storage.updates { try $0.repository(of: Trip.self).count() })
/// Text("\(count.value) trips")
/// ```
///
/// Use ``LiveQuery`` for the entities of a query, ``LiveEntity`` for one entity, ``LiveSetting`` for one setting, and
/// this type itself for any other value, e.g. a sum or a report over several types.
///
/// The model reads on the global executor, never on the main actor. It observes the store until it is released. If the
/// store changes faster than the main actor can follow, the model skips intermediate values.
@Observable @MainActor
public class LiveValue<Value: Sendable> {
    /// The newest value. Until the first read, it is the initial one. After a failed read, it is the last one.
    public private(set) var value: Value

    /// Whether ``value`` is current.
    public private(set) var phase = LivePhase.loading

    @ObservationIgnored private var updates: Updates<Value>
    @ObservationIgnored private var task: Task<Void, Never>?

    /// Creates a model that starts to read at once.
    ///
    /// - Parameters:
    ///   - initial: The value until the first read.
    ///   - updates: The sequence of values to follow.
    public init(_ initial: Value, _ updates: Updates<Value>) {
        value = initial
        self.updates = updates
        restart()
    }

    deinit { task?.cancel() }

    /// Reads the value again, e.g. when the user taps "Retry". Until then, ``phase`` is ``LivePhase/loading``.
    public func restart() { follow(updates) }

    /// Follows another sequence from now on. A result of the previous sequence that is under way is ignored.
    func follow(_ updates: Updates<Value>) {
        self.updates = updates
        phase = .loading
        task?.cancel()
        task = updates.follow { [weak self] in self?.receive($0) }
    }

    private func receive(_ result: Result<Value, RepositoryError>) {
        if case .success(let value) = result { self.value = value }
        phase = LivePhase(result)
    }
}

/// Whether the value of a live model is current.
///
/// ```swift
/// if let error = trips.phase.error { Text("\(error)") }
/// if case .loading = trips.phase { ProgressView() }
/// ```
public enum LivePhase: Sendable {
    /// The model reads its first value, or its first value after it was restarted or its query was changed.
    case loading
    /// The value is the newest one.
    case current
    /// The last read failed, so the value may be out of date. The model reads again when the store changes, and also
    /// each second if `isRetrying` is `true`, because the cause may pass by itself.
    case failed(RepositoryError, isRetrying: Bool)

    init(_ result: Result<some Any, RepositoryError>) {
        switch result {
        case .success: self = .current
        case .failure(let error): self = .failed(error, isRetrying: error.isTransient)
        }
    }

    /// The error of the last read, or `nil` if it did not fail.
    public var error: RepositoryError? { if case .failed(let error, _) = self { error } else { nil } }
}

extension RepositoryError {
    /// Whether the cause may pass without a change to the store, so that an observer reads again each second.
    fileprivate var isTransient: Bool { (underlying as? DataStoreError)?.isTransient ?? false }
}

extension Updates {
    /// Passes each result to a closure on the main actor, until the returned task is cancelled. It reads on the global
    /// executor, and reads the next result only after the closure has returned.
    func follow(
        _ receive: @escaping @MainActor @Sendable (Result<Element, RepositoryError>) -> Void
    ) -> Task<Void, Never> {
        Task { @concurrent in
            var iterator = makeAsyncIterator()
            // A cancelled task must not deliver: its model may already follow another sequence.
            func deliver(_ result: Result<Element, RepositoryError>) async {
                await MainActor.run { if !Task.isCancelled { receive(result) } }
            }
            var isEmpty = true
            while true {
                do throws(RepositoryError) {
                    guard let element = try await iterator.next(isolation: nil) else { break }
                    await deliver(.success(element))
                } catch {
                    await deliver(.failure(error))
                }
                isEmpty = false
            }
            guard isEmpty else { return }
            let message = "could not read a live value: the store is closed"
            await deliver(.failure(RepositoryError(.programmingError, message: message)))
        }
    }
}

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
