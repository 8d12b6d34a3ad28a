import DataStoreCore
import UserProfileData
import UserProfileDomain

typealias UserRepository = DataStoreRepository<UserMapping>

extension DataStoreRepository<UserMapping> {
    init(_ store: any DataStore, defaults: RegisteredDefaults = .none) throws {
        try self.init(store: store, mapping: UserMapping(), defaults: defaults)
    }
}

extension DataStoreRepository<WeatherMapping> {
    init(_ store: any DataStore) throws { try self.init(store: store, mapping: WeatherMapping()) }
}
