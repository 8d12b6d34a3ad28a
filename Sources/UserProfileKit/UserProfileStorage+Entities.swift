/// A type of entity that a program stores besides users and weather. Pass it when you open a ``UserProfileStorage``.
///
/// ```swift
/// struct Trip: Codable, Identifiable, Sendable {
///     let id: UUID
///     var title: String
///     var startsAt: Date
/// }
///
/// let storage = try await UserProfileStorage.open(
///     .lmdb("/var/lib/my-program"),
///     entities: [EntityType(Trip.self, in: "trips", indexes: [.on("startsAt"), .unique("title")])])
/// let trips = try storage.repository(of: Trip.self)
/// ```
public struct EntityType: Sendable {
    let mapping: any RecordMapping
    /// The fields that the program declares as sealed.
    let sealed: [SealedFieldDefinition]

    /// Declares a `Codable` type, whose coding keys become the fields of the stored records.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - collection: The name of the collection in which the entities are stored. Keep this name when you rename the
    ///     type, so that the program finds the entities that are already stored.
    ///   - indexes: The indexes of the collection, e.g. `.on(\.startsAt)` or `.on("place.name")`. If an index names a
    ///     field that the type does not have, opening the storage fails.
    ///   - references: The properties with ids of other entities, e.g. `.to("patients", by: \.patientID)`.
    ///   - expiry: The property with the date from which an entity counts as missing. An entity without a date does not
    ///     expire.
    ///   - owner: The property with the id of the user to whom an entity belongs. Erasing the user erases the entity.
    ///   - queryFields: The mappings of the entity's fields to fields of stored records, by the names of the entity's
    ///     fields. Pass a mapping for each field whose stored value differs from the value that queries compare.
    ///   - sealing: The properties that the store keeps encrypted. To save them, pass keys when you open the storage.
    public init<Entity: Codable & Identifiable & Sendable>(
        _ type: Entity.Type, in collection: String, indexes: [EntityIndex<Entity>] = [],
        references: [EntityReference<Entity>] = [],
        expiresAt expiry: PartialKeyPath<Entity>? = nil,
        owner: PartialKeyPath<Entity>? = nil,
        queryFields: [String: FieldMapping] = [:], sealing: [SealedProperty<Entity>] = []
    ) where Entity.ID: Codable & Sendable {
        self.init(
            CodableMapping(
                type, in: collection, queryFields: queryFields, indexes: indexes.map(\.definition),
                rules: CollectionRules(references: references, expiresAt: expiry, owner: owner)),
            sealing: sealing)
    }

    /// Declares the type that a `RecordMapping` converts to records.
    ///
    /// - Parameters:
    ///   - mapping: The mapping, which you write yourself.
    ///   - sealing: The properties that the store keeps encrypted.
    public init<Mapping: RecordMapping>(_ mapping: Mapping, sealing: [SealedProperty<Mapping.Entity>] = []) {
        self.mapping = mapping
        sealed = sealing.flatMap { mapping.sealedFields($0.field, isSearchable: $0.isSearchable) }
    }
}

extension UserProfileStorage {
    /// Returns the repository of `User`, `Weather`, or a type that was declared when the storage was opened.
    ///
    /// By default, a list, a query, or a deletion whose condition is a closure throws an error if it cannot decode a
    /// record, e.g. because another version of the program wrote the record. Pass `skipped` to skip such records
    /// instead.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - skipped: A closure that receives the error of each skipped record, or `nil` to throw the error. The closure
    ///     runs within the transaction that reads the record, on any thread, and must return soon.
    /// - Returns: The repository.
    /// - Throws: `DataStoreError` if the type is not declared. The message contains the declaration to add.
    public func repository<Entity>(
        of type: Entity.Type, skippingInvalid skipped: (@Sendable (RepositoryError) -> Void)? = nil
    ) throws(DataStoreError) -> any Repository<Entity> {
        // The type of the mapping of `users` is known, so that its functions are specialized.
        if skipped == nil, let users = users as? any Repository<Entity> { return users }
        guard let mapping = mappings[ObjectIdentifier(type)] as? any RecordMapping<Entity> else {
            throw DataStoreError(
                .misuse,
                "the type is not declared; pass EntityType(\(type).self, in: \"…\") when you open the storage",
                operation: "get the repository of \(type)")
        }
        return records.repository(of: mapping, defaults: type == User.self ? defaults : .none, skipped)
    }

    /// Returns a group of settings. A setting is a single value that the program stores under a name.
    ///
    /// - Parameter name: The name of the group. A setting with the same name in another group is a different setting.
    /// - Returns: The settings of the group.
    /// - Throws: `DataStoreError` if the name is invalid.
    public func settings(named name: String = "main") throws(DataStoreError) -> Settings {
        try Settings(
            store: records, named: name,
            mapping: mappings[ObjectIdentifier(SettingsGroup.self)] as? any RecordMapping<SettingsGroup>)
    }

    /// Validates a record that is saved without a repository.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - key: The key of the record.
    ///   - now: The current time, which determines whether a birthday is in the future.
    /// - Throws: `DataStoreError` with the code `invalidRecord` if the repository of the collection cannot read the
    ///   record, or if the birthday of a user is in the future. A collection without a repository accepts every record.
    public func validate(_ record: Record, for key: Key, now: Instant) throws(DataStoreError) {
        do {
            for mapping in mappings.values where mapping.collection == key.collection {
                if let user = try mapping.decoded(RecordView(record), key) as? User {
                    try user.birthday?.checkHasBegun(at: now)
                }
            }
        } catch {
            throw DataStoreError(.invalidRecord, "\(error)", operation: "save a record", key: key, underlying: error)
        }
    }
}

extension Schema {
    /// Creates the schema of a ``UserProfileStorage`` from the declared types of entities.
    ///
    /// - Throws: `DataStoreError` if a declaration is invalid: a type uses a collection of the library, a collection or
    ///   type is declared twice, an index names an unknown field, or a migration renames a declared collection.
    ///
    /// - Parameters:
    ///   - ownMappings: The mappings of the types of the library.
    ///   - entities: The mappings of the declared types.
    ///   - migrations: The migrations of the program.
    init(
        _ ownMappings: [any RecordMapping], _ entities: [any RecordMapping], _ migrations: [Migration]
    ) throws(DataStoreError) {
        let own = ownMappings.map(\.schemaCollection) + [Schema.Collection(Settings.collection)]
        var types = Dictionary(ownMappings.map { ($0.entityType, $0.collection) }) { $1 }
        func declare<Mapping: RecordMapping>(_ mapping: Mapping) throws(DataStoreError) {
            let operation = "declare \(Mapping.Entity.self)"
            if own.contains(where: { $0.name == mapping.collection }) {
                let names = own.map(\.name).sorted().joined(separator: ", ")
                throw DataStoreError(
                    .misuse,
                    "the collection \(mapping.collection) is reserved, like \(names); choose another name",
                    operation: operation)
            }
            if let other = types.updateValue(mapping.collection, forKey: mapping.entityType) {
                throw DataStoreError(
                    .misuse,
                    "the type is declared twice, in the collections \(other) and \(mapping.collection); keep one",
                    operation: operation)
            }
        }
        for mapping in entities { try declare(mapping) }
        try self.init(own + entities.map(\.schemaCollection), migrations: migrations)
        try checkRenamedCollections()
    }
}

extension ImportCheckpoint {
    /// The mapping of unfinished imports to records of the collection `imports`.
    static let mapping = CodableMapping<ImportCheckpoint>(in: "imports")
}

extension RecordMapping {
    /// Decodes a record.
    func decoded(_ record: borrowing RecordView, _ key: Key) throws -> Entity {
        try entity(of: record, id: try id(of: key.id))
    }
}

extension SchemaStore {
    /// Returns the repository of a mapping whose type is unknown.
    func repository<Mapping: RecordMapping>(
        of mapping: Mapping, defaults: RegisteredDefaults, _ skipped: (@Sendable (RepositoryError) -> Void)? = nil
    ) -> any Repository<Mapping.Entity> {
        let repository = DataStoreRepository(self, mapping: mapping, defaults: defaults)
        return skipped.map { repository.skippingInvalid($0) } ?? repository
    }
}
