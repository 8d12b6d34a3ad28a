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
    /// - Parameter location: where.
    /// - Returns: the open storage.
    /// - Throws: `DataStoreError` where there is something else at the location, or it cannot be opened.
    public static func open(_ location: StorageLocation) async throws -> UserProfileStorage {
        switch location {
        case .lmdb(let path): UserProfileStorage(store: try LMDBDataStore(path: path))
        case .plist(let path): UserProfileStorage(store: try PlistDataStore(path: path))
        case .memory: UserProfileStorage(store: MemoryDataStore())
        }
    }

    /// Opens the storage at a location that is given as text.
    ///
    /// - Parameter text: `lmdb:PATH`, `plist:PATH` or `memory:`.
    /// - Returns: the open storage.
    /// - Throws: also `ValidationError` where it is none of these.
    public static func open(_ text: String) async throws -> UserProfileStorage {
        try await open(StorageLocation(text))
    }

    /// Waits for writes under way and closes the store. Using the storage afterwards is an error.
    public func close() async { await store.close() }
}
