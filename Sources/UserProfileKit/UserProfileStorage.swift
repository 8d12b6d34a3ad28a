public import Logging

/// A store of user profiles, forecasts and the program's own entities. It is the entry point of the library.
///
/// ```swift
/// let storage = try await UserProfileStorage.open(.lmdb("/var/lib/my-program/profiles"))
/// try await storage.profiles.saveMailAddress(MailAddress("vision@example.com"))
/// print(try await storage.profiles.mailAddress() as Any)
/// await storage.close()
/// ```
public struct UserProfileStorage: Sendable, HidesEntities {
    /// The use case with which a program saves and reads mail addresses and birthdays.
    public let profiles: UserUseCase

    /// The repository with which a program lists, queries, counts, observes and deletes users.
    public let users: any Repository<User>

    /// The use case with which a program fetches forecasts and reads them with their age.
    public let forecasts: ForecastUseCase

    /// The repository with which a program lists, queries, observes and deletes saved weather.
    public let weather: any Repository<Weather>

    /// The unit of work with which a program changes entities of several types in one transaction.
    public let unitOfWork: any UnitOfWork

    /// The store that contains the records of all collections, for tools and repairs. Writes through it maintain all
    /// indexes.
    public let records: SchemaStore

    let mappings: [ObjectIdentifier: any RecordMapping]
    /// The registered users.
    let defaults: RegisteredDefaults

    /// Creates an instance over an open store, e.g. a store of your own or a `MemoryDataStore` that two storages share.
    ///
    /// It does not change the store. Call `records.migrate(dryRun:progress:)` before any other function if you pass
    /// migrations, and `records.buildIndexes(progress:)` to build missing indexes.
    ///
    /// - Parameters:
    ///   - store: The open store.
    ///   - entities: As in `open`.
    ///   - migrations: As in `open`.
    ///   - source: As in `open`.
    ///   - defaults: As in `open`.
    ///   - isMailAddressUnique: As in `open`.
    ///   - now: As in `open`.
    ///   - logger: As in `open`.
    /// - Throws: `DataStoreError` if a declaration is invalid: a reserved or invalid collection, an index of an unknown
    ///   field, a collection, type or migration that is declared twice, or an invalid migration.
    public init(
        store: any DataStore, entities: [EntityType] = [], migrations: [Migration] = [],
        source: (any ForecastSource)? = nil, registering defaults: [User] = [],
        isMailAddressUnique: Bool = false, now: @escaping @Sendable () -> Instant = { .now }, logger: Logger? = nil
    ) throws(DataStoreError) {
        try self.init(
            store: store, entities: entities.map(\.mapping), migrations: migrations, source: source,
            registering: defaults, isMailAddressUnique: isMailAddressUnique, sealed: nil, now: now, logger: logger)
    }

    private init(
        store: any DataStore, entities: [any RecordMapping], migrations: [Migration],
        source: (any ForecastSource)?, registering defaults: [User], isMailAddressUnique: Bool, sealed: SealedTypes?,
        now: @escaping @Sendable () -> Instant, logger: Logger?
    ) throws(DataStoreError) {
        let userMapping = UserMapping(isMailAddressUnique: isMailAddressUnique)
        let sealedUsers = try sealed?.mapping(of: userMapping, keepsIndexes: false)
        let sealedWeather = try sealed?.mapping(of: WeatherMapping(), keepsIndexes: false)
        let own: [any RecordMapping] = [
            sealedUsers ?? userMapping, sealedWeather ?? WeatherMapping(), ImportCheckpoint.mapping,
        ]
        let entities = try entities.map { type throws(DataStoreError) in try sealed?.mapping(of: type) ?? type }
        let schema = try Schema(own, entities, migrations)
        let store = (sealed?.sealing.store ?? store).observed(logger)
        let records = SchemaStore(store, schema: schema, now: { Timestamp(now()) })
        var mappings = own + entities
        if let sealed { mappings.append(try sealed.mapping(of: SettingsMapping())) }
        self.records = records
        self.mappings = Dictionary(mappings.map { ($0.entityType, $0) }) { $1 }
        unitOfWork = DataStoreUnitOfWork(records, mappings: mappings)
        let entries = try defaults.map { user throws(DataStoreError) in
            let key = try Key(collection: userMapping.collection, id: userMapping.text(of: user.id))
            return Entry(key: key, record: userMapping.record(of: user))
        }
        let registered = try RegisteredDefaults(entries)
        self.defaults = registered
        // Without sealed fields, the type of the mapping is known, so that its functions are specialized.
        users =
            sealedUsers.map { records.repository(of: $0, defaults: registered) }
            ?? DataStoreRepository(records, mapping: userMapping, defaults: registered)
        profiles = UserUseCase(users: users)
        weather =
            sealedWeather.map { records.repository(of: $0, defaults: .none) }
            ?? DataStoreRepository(records, mapping: WeatherMapping())
        let logged = source.flatMap { source in logger.map { LoggingForecastSource(source: source, logger: $0) } }
        forecasts = ForecastUseCase(
            weather: weather, source: logged ?? source, now: now, decoding: DecodedWeather.init(livedoor:for:))
    }

    /// Opens the storage at a location, applies pending migrations, and builds missing indexes. If no store exists
    /// there, the first save creates it.
    ///
    /// ```swift
    /// let storage = try await UserProfileStorage.open(.lmdb("/var/lib/my-program/store"), entities: entities)
    /// ```
    ///
    /// Most programs pass the location, and their entities and migrations if they have any.
    ///
    /// - Parameters:
    ///   - location: Where the store is, e.g. `.lmdb(path)`, `.plist(path)` or `.memory`.
    ///   - entities: The types of your own that the program stores.
    ///   - migrations: All changes to the stored form since the first version. Append new ones at the end.
    ///   - source: Where forecasts are fetched, e.g. `HTTPForecastSource` of the product `ForecastHTTP`. If it is
    ///     `nil`, every fetch fails.
    ///   - defaults: Users whose values a read by id returns while none is saved. As with `UserDefaults.register`, they
    ///     are never stored, and lists and queries ignore them.
    ///   - isMailAddressUnique: Whether a second user with the same mail address is rejected.
    ///   - sealingUsers: The properties of users that the store keeps encrypted. Existing values are sealed now.
    ///   - sealingWeather: The properties of weather that the store keeps encrypted.
    ///   - sealingSettings: The names of settings that the store keeps encrypted, in each group.
    ///   - keys: The keys of sealed fields, e.g. `.source(.file(path))` of the product `UserProfileSealing`. Without
    ///     them, reading or saving a sealed field throws an error with the code `missingSealingKey`.
    ///   - buildsIndexes: Whether to build missing indexes now, in steps between which other programs can write. Until
    ///     an index is built, its queries read all records.
    ///   - progress: A closure that receives the migration or the index that is worked on, e.g. `trips by title`, and
    ///     the number of records so far. For an index, the count is an upper bound.
    ///   - now: The clock by which entities expire and forecasts age. A test passes one of its own.
    ///   - logger: The logger for events, which never contain a mail address, birthday or id of a user.
    /// - Returns: The open storage.
    /// - Throws: `CancellationError` if the task is cancelled. `DataStoreError` if a declaration is invalid, or if
    ///   opening the store fails, e.g. with one of these codes:
    ///   - `notAStore` if something other than a store exists at the location.
    ///   - `notUnique` if two records have the same value of a unique field.
    ///   - `brokenReference` if records refer to records that do not exist.
    ///   - `unknownMigration` if the store has applied a breaking migration that the program does not declare.
    ///   - `migrationFailed` if a migration fails.
    public static func open(
        _ location: StorageLocation, entities: [EntityType] = [], migrations: [Migration] = [],
        source: (any ForecastSource)? = nil, registering defaults: [User] = [],
        isMailAddressUnique: Bool = false, sealingUsers: [SealedProperty<User>] = [],
        sealingWeather: [SealedProperty<Weather>] = [], sealingSettings: [String] = [], keys: StoreKeys? = nil,
        buildsIndexes: Bool = true, progress: (_ index: String, _ count: Int) -> Void = { _, _ in },
        now: @escaping @Sendable () -> Instant = { .now }, logger: Logger? = nil
    ) async throws -> UserProfileStorage {
        let store = try await location.kind.open(at: location.address, report: logger?.storeReport)
        logger?.debug("opened the store", metadata: ["kind": "\(location.kind.scheme)"])
        do {
            let own = [
                EntityType(UserMapping(), sealing: sealingUsers), EntityType(WeatherMapping(), sealing: sealingWeather),
                EntityType(SettingsMapping(), sealing: sealingSettings.map { .opaque(named: $0) }),
            ]
            let sealed = try await SealedTypes(store, keys, own + entities)
            let storage = try UserProfileStorage(
                store: store, entities: entities.map(\.mapping), migrations: migrations, source: source,
                registering: defaults, isMailAddressUnique: isMailAddressUnique, sealed: sealed, now: now,
                logger: logger)
            try await storage.records.migrate(progress: progress)
            try await storage.records.declareRules()
            try await sealed?.sealExisting(through: storage.records)
            if buildsIndexes { try await storage.buildIndexes(progress, logger) }
            return storage
        } catch {
            await store.close()
            throw error
        }
    }

    /// Passes the storage to a closure, and then closes the storage even if the closure throws.
    ///
    /// ```swift
    /// let count = try await UserProfileStorage.open(.lmdb(path)).closing { storage in
    ///     try await storage.users.count()
    /// }
    /// ```
    ///
    /// - Parameter body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public func closing<Result>(after body: (UserProfileStorage) async throws -> Result) async throws -> Result {
        try await records.closing { _ in try await body(self) }
    }

    /// Builds missing indexes when the storage opens.
    ///
    /// Throws a `DataStoreError` with the code `notUnique` if the store already contains duplicate values of a unique
    /// field. Any other `DataStoreError` is only logged, because reads work without indexes.
    private func buildIndexes(_ progress: (String, Int) -> Void, _ logger: Logger?) async throws {
        do {
            try await records.buildIndexes(progress: progress)
        } catch let error as DataStoreError where error.code != .notUnique {
            logger?.notice("indexes are not built", metadata: ["code": "\(error.code)"])
        } catch let error as DataStoreError {
            throw try await namingUsers(error)
        }
    }

    /// Returns the error for users with equal mail addresses with the ids of these users, and any other error
    /// unchanged.
    private func namingUsers(_ error: DataStoreError) async throws -> DataStoreError {
        // The ids of users contain no characters that the text of a key escapes.
        let prefix = "\(UserMapping().collection)/"
        guard let key = error.key, key.hasPrefix(prefix),
            let address = try await users.find(UserID(stored: String(key.dropFirst(prefix.count))))?.mailAddress
        else { return error }
        let equal = try await users.find(Query(where: \.mailAddress == address, limit: 10)).entities
        guard equal.count > 1, let last = equal.last else { return error }
        let others = equal.dropLast().map(\.id.text.quoted).joined(separator: ", ")
        return DataStoreError(
            .notUnique,
            "the users \(others) and \(last.id.text.quoted) have the same mail address; give all but one of them "
                + "another address with `profile-cli set-mail ADDRESS --user ID`, or delete them with "
                + "`profile-cli delete --user ID`",
            operation: "open the store", underlying: error)
    }

    /// Runs a closure that reads entities and settings from one snapshot. It starts no write transaction.
    ///
    /// ```swift
    /// let report = try await storage.snapshot { snapshot in
    ///     let theme = try snapshot.settings()[.theme]
    ///     return Report(theme, try snapshot.repository(of: Note.self).counts(by: \.priority))
    /// }
    /// ```
    ///
    /// See `UnitOfWork.snapshot(_:)`.
    public func snapshot<Result: Sendable>(
        _ body: @Sendable (any SnapshotScope) throws -> Result
    ) async throws -> Result {
        try await unitOfWork.snapshot(body)
    }

    /// Returns a sequence of the results of a closure over a snapshot: first its current result, then the new result
    /// after each change to a type that the closure has read. See `UnitOfWork.updates(_:)`.
    public func updates<Result: Sendable>(
        _ body: @escaping @Sendable (any SnapshotScope) throws -> Result
    ) -> Updates<Result> {
        unitOfWork.updates(body)
    }

    /// Waits for pending writes and closes the store. Later reads and writes throw an error.
    public func close() async { await records.close() }
}
