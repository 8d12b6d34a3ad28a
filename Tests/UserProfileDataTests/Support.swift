import DataStoreCore
import UserProfileData
import UserProfileDomain

/// The users of a store.
typealias UserRepository = DataStoreRepository<UserMapping>

extension DataStoreRepository<UserMapping> {
    init(_ store: any DataStore) { self.init(store: store, mapping: UserMapping()) }
}

extension DataStoreRepository<WeatherMapping> {
    init(_ store: any DataStore) { self.init(store: store, mapping: WeatherMapping()) }
}

extension DataStore {
    /// Puts a record past the repository, as another program would.
    func put(_ record: Record, _ collection: String, _ id: String) async throws {
        let key = try Key(collection: collection, id: id)
        try await write { transaction in try transaction.put(record, for: key) }
    }

    /// Reads a record past the repository.
    func record(_ collection: String, _ id: String) async throws -> Record? {
        let key = try Key(collection: collection, id: id)
        return try await read { transaction in try transaction.record(for: key) }
    }
}

extension RepositoryError {
    /// The errors behind this one, the nearest first.
    var causes: [any Error] {
        var causes: [any Error] = []
        var next = underlying
        while let error = next {
            causes.append(error)
            next = (error as? DataStoreError)?.underlying ?? (error as? FieldError)?.underlying
        }
        return causes
    }
}
