public import DataStoreCore
import DataStoreLMDB
import DataStoreMemory
import DataStorePlist
import ForecastAPI
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

    private let store: any DataStore

    /// Works on a store that is open already, e.g. one of another package.
    ///
    /// - Parameters:
    ///   - store: where everything is kept.
    ///   - source: where forecasts come from.
    ///   - mappings: how the embedding program's own entities are kept, for ``unitOfWork``.
    public init(
        store: any DataStore, source: any ForecastSource = UserProfileStorage.defaultSource,
        mappings: [any RecordMapping] = []
    ) {
        let unitOfWork = DataStoreUnitOfWork(store: store, mappings: [UserMapping(), WeatherMapping()] + mappings)
        self.store = store
        self.unitOfWork = unitOfWork
        users = UserUseCase(users: UserRepository(store: store))
        forecasts = ForecastUseCase(
            weather: DataStoreRepository(store: store, mapping: WeatherMapping()), unitOfWork: unitOfWork,
            decoder: JSONWeatherDecoder(), source: source, now: { .now })
    }

    /// The service weather.tsukumijima.net.
    public static var defaultSource: any ForecastSource { HTTPForecastSource(.standard) }

    /// Opens the storage at a location. What is not there is made by the first save.
    ///
    /// - Parameters:
    ///   - location: where.
    ///   - source: where forecasts come from.
    ///   - defaults: users whose values are read where nothing is stored: as with `UserDefaults.register`, nothing of it
    ///     is ever written. A user is registered by the id; the mail address and the birthday each stand in for one
    ///     that is not stored.
    ///   - mappings: how the embedding program's own entities are kept, for ``unitOfWork``.
    /// - Returns: the open storage.
    /// - Throws: `DataStoreError` where there is something else at the location, or it cannot be opened.
    public static func open(
        _ location: StorageLocation, source: any ForecastSource = UserProfileStorage.defaultSource,
        registering defaults: [User] = [], mappings: [any RecordMapping] = []
    ) async throws -> UserProfileStorage {
        let store: any DataStore =
            switch location {
            case .lmdb(let path): try LMDBDataStore(path: path)
            case .plist(let path): try PlistDataStore(path: path)
            case .memory: MemoryDataStore()
            }
        return UserProfileStorage(
            store: try registering(defaults, over: store), source: source, mappings: mappings)
    }

    private static func registering(_ defaults: [User], over store: any DataStore) throws -> any DataStore {
        guard !defaults.isEmpty else { return store }
        let mapping = UserMapping()
        let entries = try defaults.map { user in
            Entry(
                key: try Key(collection: mapping.collection, id: mapping.text(of: user.id)),
                record: mapping.record(of: user))
        }
        return try RegisteredDefaults(over: store, registering: entries)
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
