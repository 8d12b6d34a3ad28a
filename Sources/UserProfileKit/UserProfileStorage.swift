public import DataStoreCore
import DataStoreQueries
import DataStoreLMDB
import DataStoreMemory
import DataStorePlist
import ForecastAPI
public import Logging
public import UserProfileData
public import UserProfileDomain

/// Profiles and forecasts at one place: the front door of the library.
///
/// ```swift
/// let storage = try await UserProfileStorage.open(.lmdb("/var/lib/my-program/profiles"))
/// try await storage.users.saveMailAddress(MailAddress("vision@example.com"))
/// print(try await storage.users.mailAddress() as Any)
/// await storage.close()
/// ```
public struct UserProfileStorage: Sendable {
    /// What is done with profiles.
    public let users: UserUseCase

    /// What is done with forecasts.
    public let forecasts: ForecastUseCase

    /// Changes of users and forecasts, and of the embedding program's own entities, that belong together.
    public let unitOfWork: any UnitOfWork

    let store: any DataStore
    let mappings: [any RecordMapping]
    let imports: ImportUseCase

    /// Works on a store that is open already, e.g. one of another package.
    ///
    /// - Parameters:
    ///   - store: where everything is kept.
    ///   - source: where forecasts come from.
    ///   - isMailAddressUnique: whether a second user with the same mail address is refused; it holds as soon as
    ///     ``buildIndexes(progress:)`` is done.
    ///   - mappings: how the embedding program's own entities are kept, for ``unitOfWork``.
    ///   - defaults: the values of users that reads by id return for what is not stored.
    ///   - logger: is told what happens; nil: nobody is. No mail address, birthday or id of a user ever reaches it.
    public init(
        store: any DataStore, source: any ForecastSource = UserProfileStorage.defaultSource,
        isMailAddressUnique: Bool = false, mappings: [any RecordMapping] = [],
        defaults: RegisteredDefaults = .none, logger: Logger? = nil
    ) {
        let store: any DataStore = logger.map { LoggingDataStore(store: store, logger: $0) } ?? store
        let source: any ForecastSource =
            logger.map { LoggingForecastSource(source: source, logger: $0) } ?? source
        let userMapping = UserMapping(isMailAddressUnique: isMailAddressUnique)
        let mappings: [any RecordMapping] = [userMapping, WeatherMapping(), ImportMarkMapping()] + mappings
        let unitOfWork = DataStoreUnitOfWork(store: store, mappings: mappings)
        self.store = store
        self.mappings = mappings
        self.unitOfWork = unitOfWork
        users = UserUseCase(users: UserRepository(store: store, mapping: userMapping, defaults: defaults))
        imports = ImportUseCase(
            unitOfWork: unitOfWork, marks: DataStoreRepository(store: store, mapping: ImportMarkMapping()))
        forecasts = ForecastUseCase(
            weather: DataStoreRepository(store: store, mapping: WeatherMapping()), unitOfWork: unitOfWork,
            decoder: JSONWeatherDecoder(), source: source, now: { .now })
    }

    /// The service weather.tsukumijima.net; without the trait `Networking` of the package, a source that gives no forecasts.
    public static var defaultSource: any ForecastSource {
        #if Networking
        HTTPForecastSource(.standard)
        #else
        MissingForecastSource()
        #endif
    }

    /// Opens the storage at a location. What is not there is made by the first save.
    ///
    /// - Parameters:
    ///   - location: where.
    ///   - source: where forecasts come from.
    ///   - defaults: users whose values reads by id return for what is not stored, as with `UserDefaults.register`. Nothing
    ///     of them is ever written, and lists and queries show only what is stored. The mail address and the birthday are
    ///     completed one by one.
    ///   - isMailAddressUnique: whether a second user with the same mail address is refused. Where two users have the same
    ///     already, the storage is not opened.
    ///   - mappings: how the embedding program's own entities are kept, for ``unitOfWork``.
    ///   - logger: is told what happens; nil: nobody is. No mail address, birthday or id of a user ever reaches it.
    /// - Returns: the open storage.
    /// - Throws: `DataStoreError` where there is something else at the location, or it cannot be opened.
    public static func open(
        _ location: StorageLocation, source: any ForecastSource = UserProfileStorage.defaultSource,
        registering defaults: [User] = [], isMailAddressUnique: Bool = false, mappings: [any RecordMapping] = [],
        logger: Logger? = nil
    ) async throws -> UserProfileStorage {
        let store: any DataStore =
            switch location {
            case .lmdb(let path): try LMDBDataStore(path: path, options: .reporting(to: logger))
            case .plist(let path): try PlistDataStore(path: path)
            case .memory: MemoryDataStore()
            }
        logger?.debug("opened the store", metadata: ["kind": "\(location.kind)"])
        let storage = UserProfileStorage(
            store: store, source: source, isMailAddressUnique: isMailAddressUnique, mappings: mappings,
            defaults: try registered(defaults), logger: logger)
        if isMailAddressUnique {
            do {
                try await storage.buildIndexes()
            } catch {
                await storage.close()
                throw error
            }
        }
        return storage
    }

    private static func registered(_ users: [User]) throws -> RegisteredDefaults {
        guard !users.isEmpty else { return .none }
        let mapping = UserMapping()
        return try RegisteredDefaults(
            users.map { user in
                Entry(
                    key: try Key(collection: mapping.collection, id: mapping.text(of: user.id)),
                    record: mapping.record(of: user))
            })
    }

    /// Opens the storage of a configuration.
    ///
    /// - Parameters:
    ///   - configuration: says where everything is kept and where forecasts come from.
    ///   - coordinates: the place to ask Open-Meteo for; nil: that of the city's prefecture office.
    ///   - isMailAddressUnique: whether a second user with the same mail address is refused.
    ///   - mappings: how the embedding program's own entities are kept, for ``unitOfWork``.
    ///   - logger: is told what happens; nil: nobody is. No mail address, birthday or id of a user ever reaches it.
    /// - Returns: the open storage.
    /// - Throws: like the opening of a location.
    public static func open(
        _ configuration: Configuration, coordinates: Coordinates? = nil, isMailAddressUnique: Bool = false,
        mappings: [any RecordMapping] = [], logger: Logger? = nil
    ) async throws -> UserProfileStorage {
        #if Networking
        let source = HTTPForecastSource(
            try configuration.forecastService(coordinates: coordinates), options: configuration.forecastOptions)
        #else
        let source = MissingForecastSource()
        #endif
        return try await open(
            configuration.store.value, source: source, isMailAddressUnique: isMailAddressUnique, mappings: mappings,
            logger: logger)
    }

    /// Opens the storage at a location that is given as text.
    ///
    /// - Parameters:
    ///   - text: `lmdb:PATH`, `plist:PATH` or `memory:`.
    ///   - defaults: users whose values are read where nothing is stored.
    /// - Returns: the open storage.
    /// - Throws: also `ValidationError` where it is none of these.
    public static func open(_ text: String, registering defaults: [User] = []) async throws -> UserProfileStorage {
        try await open(StorageLocation(text), registering: defaults)
    }

    /// Waits for writes under way and closes the store. Using the storage afterwards is an error.
    public func close() async { await store.close() }
}

extension LMDBDataStore.Options {
    /// Options with which a store tells a logger what is going on in it: growth, and reads that go on for long.
    fileprivate static func reporting(to logger: Logger?) -> LMDBDataStore.Options {
        var options = LMDBDataStore.Options()
        if let logger { options.report = { event in logger.notice("\(event)") } }
        return options
    }
}

extension StorageLocation {
    /// What kind of store it is of; the path may name a user.
    fileprivate var kind: String {
        switch self {
        case .lmdb: "lmdb"
        case .plist: "plist"
        case .memory: "memory"
        }
    }
}
