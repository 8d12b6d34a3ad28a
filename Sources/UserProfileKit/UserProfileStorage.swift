public import DataStoreCore
import DataStoreLMDB
import DataStoreMemory
import DataStorePlist
import ForecastAPI
import UserProfileData
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

    private let store: any DataStore

    /// Works on a store that is open already, e.g. one of another package.
    ///
    /// - Parameter store: where everything is kept.
    public init(store: any DataStore) {
        self.store = store
        users = UserUseCase(users: UserRepository(store: store))
        forecasts = ForecastUseCase(
            weather: DataStoreRepository(store: store, mapping: WeatherMapping()), decoder: JSONWeatherDecoder())
    }

    /// Opens the storage at a location. What is not there is made by the first save.
    ///
    /// - Parameters:
    ///   - location: where.
    ///   - defaults: users whose values are read where nothing is stored: as with `UserDefaults.register`, nothing of it
    ///     is ever written. A user is registered by the id; the mail address and the birthday each stand in for one
    ///     that is not stored.
    /// - Returns: the open storage.
    /// - Throws: `DataStoreError` where there is something else at the location, or it cannot be opened.
    public static func open(
        _ location: StorageLocation, registering defaults: [User] = []
    ) async throws -> UserProfileStorage {
        let store: any DataStore =
            switch location {
            case .lmdb(let path): try LMDBDataStore(path: path)
            case .plist(let path): try PlistDataStore(path: path)
            case .memory: MemoryDataStore()
            }
        guard !defaults.isEmpty else { return UserProfileStorage(store: store) }
        let mapping = UserMapping()
        let entries = try defaults.map { user in
            Entry(
                key: try Key(collection: mapping.collection, id: mapping.text(of: user.id)),
                record: mapping.record(of: user))
        }
        return UserProfileStorage(store: try RegisteredDefaults(over: store, registering: entries))
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
