public import DataStoreCore
public import DataStoreQueries
import ForecastAPI
public import Logging
import UserProfileData
public import UserProfileDomain

/// Profiles, forecasts and the embedding program's own entities in one store.
///
/// ```swift
/// let storage = try await UserProfileStorage.open(.lmdb("/var/lib/my-program/profiles"))
/// try await storage.profiles.saveMailAddress(MailAddress("vision@example.com"))
/// print(try await storage.profiles.mailAddress() as Any)
/// await storage.close()
/// ```
public struct UserProfileStorage: Sendable {
    /// The use case of profiles: save and read mail addresses and birthdays.
    public let profiles: UserUseCase

    /// The repository of the users: list, query, count, observe and delete them.
    public let users: any Repository<User>

    /// The use case of forecasts: fetch them, and read them with their age.
    public let forecasts: ForecastUseCase

    /// The repository of the saved weather: list, query, observe and delete it.
    public let weather: any Repository<Weather>

    /// Changes of entities of any type in one transaction.
    public let unitOfWork: any UnitOfWork

    /// The records of all collections, for repair and for tools. As with repositories, its writes maintain all indexes.
    public let records: SchemaStore

    let mappings: [ObjectIdentifier: any RecordMapping]
    let imports: ImportUseCase

    /// Creates a storage over an open store, e.g. one of another package. Its indexes are completed by
    /// `records.buildIndexes(progress:)`; until then queries scan.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - entities: The types of the embedding program's own entities.
    ///   - source: The source of forecasts, e.g. `HTTPForecastSource` of the product `ForecastHTTP`; with `nil`,
    ///     fetches fail.
    ///   - defaults: Default values of users. Reads by id return them for missing fields.
    ///   - isMailAddressUnique: Whether a second user with the same mail address is rejected.
    ///   - logger: Receives events, never a mail address, birthday or id of a user; `nil` disables logging.
    /// - Throws: `DataStoreError` if an entity type has a reserved or invalid collection or an index of an unknown
    ///   field, or if a collection or type is declared twice.
    public init(
        store: any DataStore, entities: [EntityType] = [],
        source: (any ForecastSource)? = nil, registering defaults: [User] = [],
        isMailAddressUnique: Bool = false, logger: Logger? = nil
    ) throws(DataStoreError) {
        let userMapping = UserMapping(isMailAddressUnique: isMailAddressUnique)
        let schema = try Schema(users: userMapping, entities: entities.map(\.mapping))
        let records = SchemaStore(
            logger.map { LoggingDataStore(store: store, logger: $0) } ?? store, schema: schema)
        let source = source ?? MissingForecastSource()
        let loggingSource = logger.map { LoggingForecastSource(source: source, logger: $0) }
        let mappings: [any RecordMapping] =
            [userMapping, WeatherMapping(), ImportCheckpointMapping()] + entities.map(\.mapping)
        let unitOfWork = DataStoreUnitOfWork(records, mappings: mappings)
        self.records = records
        self.mappings = Dictionary(mappings.map { ($0.entityType, $0) }) { $1 }
        self.unitOfWork = unitOfWork
        users = DataStoreRepository(records, mapping: userMapping, defaults: try .registering(defaults))
        profiles = UserUseCase(users: users)
        imports = ImportUseCase(
            unitOfWork: unitOfWork, checkpoints: DataStoreRepository(records, mapping: ImportCheckpointMapping()))
        weather = DataStoreRepository(records, mapping: WeatherMapping())
        forecasts = ForecastUseCase(
            weather: weather, unitOfWork: unitOfWork,
            decoder: LivedoorDecoder(), source: loggingSource ?? source, now: { .now })
    }

    /// Opens the storage at a location. The first save creates a store that does not exist yet.
    ///
    /// - Parameters:
    ///   - location: The location.
    ///   - entities: The types of the embedding program's own entities.
    ///   - source: The source of forecasts, e.g. `HTTPForecastSource` of the product `ForecastHTTP`; with `nil`,
    ///     fetches fail.
    ///   - defaults: Default values of users. Reads by id return them for missing fields, as with
    ///     `UserDefaults.register`. They are never written, and lists and queries do not see them. Mail address and
    ///     birthday are completed independently.
    ///   - isMailAddressUnique: Whether a second user with the same mail address is rejected.
    ///   - buildsIndexes: Whether to build missing and invalid indexes before returning: small collections at once,
    ///     large ones in steps, while other programs read and write. Without it, queries scan until another program
    ///     builds them.
    ///   - progress: Called with an index, e.g. `trips by title`, and an upper bound of the number of its records that
    ///     were processed.
    ///   - logger: Receives events, never a mail address, birthday or id of a user; `nil` disables logging.
    /// - Returns: The open storage.
    /// - Throws: `DataStoreError` if something else is at the location, if the store cannot be opened, or if the entity
    ///   types are invalid (``init(store:entities:source:registering:isMailAddressUnique:logger:)``). It has the code
    ///   `notUnique` if two records have the same value of a unique field. `CancellationError` if the task is
    ///   cancelled.
    public static func open(
        _ location: StorageLocation, entities: [EntityType] = [],
        source: (any ForecastSource)? = nil, registering defaults: [User] = [],
        isMailAddressUnique: Bool = false, buildsIndexes: Bool = true,
        progress: (_ index: String, _ count: Int) -> Void = { _, _ in }, logger: Logger? = nil
    ) async throws -> UserProfileStorage {
        let store = try await location.kind.open(at: location.address, report: logger?.storeReport)
        logger?.debug("opened the store", metadata: ["kind": "\(location.kind.scheme)"])
        do {
            let storage = try UserProfileStorage(
                store: store, entities: entities, source: source, registering: defaults,
                isMailAddressUnique: isMailAddressUnique, logger: logger)
            if buildsIndexes { try await storage.buildIndexes(progress, logger) }
            return storage
        } catch {
            await store.close()
            throw error
        }
    }

    /// Opens the storage at a location, passes it to a closure and closes it.
    ///
    /// - Parameters:
    ///   - location: The location.
    ///   - entities: The types of the embedding program's own entities.
    ///   - source: The source of forecasts, e.g. `HTTPForecastSource` of the product `ForecastHTTP`; with `nil`,
    ///     fetches fail.
    ///   - defaults: Default values of users.
    ///   - isMailAddressUnique: Whether a second user with the same mail address is rejected.
    ///   - logger: Receives events; `nil` disables logging.
    ///   - body: Uses the storage.
    /// - Returns: The result of the closure.
    /// - Throws: What the closure throws, and what
    ///   ``open(_:entities:source:registering:isMailAddressUnique:buildsIndexes:progress:logger:)`` throws.
    public static func withStorage<Result>(
        _ location: StorageLocation, entities: [EntityType] = [],
        source: (any ForecastSource)? = nil, registering defaults: [User] = [],
        isMailAddressUnique: Bool = false, logger: Logger? = nil,
        _ body: (UserProfileStorage) async throws -> Result
    ) async throws -> Result {
        try await open(
            location, entities: entities, source: source, registering: defaults,
            isMailAddressUnique: isMailAddressUnique, logger: logger
        ).closing(after: body)
    }

    /// Passes the storage to a closure and closes it.
    package func closing<Result>(
        after body: (UserProfileStorage) async throws -> Result
    ) async throws -> Result {
        try await records.closing { _ in try await body(self) }
    }

    /// Builds indexes when the storage opens. Reads work without them, so only duplicates of a declared unique field
    /// are an error.
    private func buildIndexes(_ progress: (String, Int) -> Void, _ logger: Logger?) async throws {
        do {
            try await records.buildIndexes(progress: progress)
        } catch let error as DataStoreError where error.code != .notUnique {
            logger?.notice("indexes are not built", metadata: ["code": "\(error.code)"])
        }
    }

    /// Waits for pending writes and closes the store. Later calls fail.
    public func close() async { await records.close() }
}

extension RegisteredDefaults {
    fileprivate static func registering(_ users: [User]) throws(DataStoreError) -> RegisteredDefaults {
        let mapping = UserMapping()
        var entries: [Entry] = []
        for user in users {
            let key = try Key(collection: mapping.collection, id: mapping.text(of: user.id))
            entries.append(Entry(key: key, record: mapping.record(of: user)))
        }
        return try RegisteredDefaults(entries)
    }
}
