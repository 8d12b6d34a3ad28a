public import DataStoreCore
import DataStoreQueries
import UserProfileData
public import RecordCoding
public import UserProfileDomain

extension UserProfileStorage {
    /// Returns the repository of a type that was declared when the storage was opened, or of `User` or `Weather`.
    ///
    /// By default, a list or query fails if one of its records cannot be decoded, for example because a program with
    /// another version of the type wrote it. Pass `skipped` to get the other entities.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - skipped: Receives the error of each record that a list, query or deletion skips; `nil` throws it. It runs
    ///     within the read, on any thread, and must return soon.
    /// - Returns: The repository.
    /// - Throws: `DataStoreError` if the type is not declared; the error shows the line to add.
    public func repository<Entity>(
        of type: Entity.Type, skippingInvalid skipped: (@Sendable (RepositoryError) -> Void)? = nil
    ) throws(DataStoreError) -> any Repository<Entity> {
        if skipped == nil, let users = users as? any Repository<Entity> { return users }
        func repository<Mapping: RecordMapping>(_ mapping: Mapping) -> any Repository<Mapping.Entity> {
            let repository = DataStoreRepository(records, mapping: mapping)
            return skipped.map { repository.skippingInvalid($0) } ?? repository
        }
        guard let mapping = mappings[ObjectIdentifier(type)] as? any RecordMapping<Entity> else {
            throw DataStoreError(
                .invalidQuery,
                "the type is not declared; "
                    + "add EntityType(\(type).self, in: \"…\") to the entities that the storage is opened with",
                operation: "get the repository of \(type)")
        }
        return repository(mapping)
    }

    /// Returns settings: single values of the embedding program, each under a name.
    ///
    /// - Parameter name: The name of the group of values. Groups are independent of each other.
    /// - Returns: The settings.
    /// - Throws: `DataStoreError` if the name is invalid.
    public func settings(named name: String = "main") throws(DataStoreError) -> Settings {
        try Settings(store: records, named: name)
    }
}

extension Schema {
    /// The collections of the library, which entities of a program cannot use.
    private static let ownCollections: [Schema.Collection] = [
        WeatherMapping().schemaCollection, ImportCheckpointMapping().schemaCollection,
        Schema.Collection(Settings.collection),
    ]

    /// Creates the schema of a storage.
    ///
    /// - Throws: `DataStoreError` if an entity type uses a collection of the library, if a collection or type is
    ///   declared twice, or if an index names an unknown field.
    init(users: UserMapping, entities: [any RecordMapping]) throws(DataStoreError) {
        let own = [users.schemaCollection] + Schema.ownCollections
        let ownMappings: [any RecordMapping] = [users, WeatherMapping(), ImportCheckpointMapping()]
        var types = Dictionary(ownMappings.map { ($0.entityType, $0.collection) }) { $1 }
        func declare<Mapping: RecordMapping>(_ mapping: Mapping) throws(DataStoreError) {
            let operation = "declare \(Mapping.Entity.self)"
            if own.contains(where: { $0.name == mapping.collection }) {
                let names = own.map(\.name).sorted().joined(separator: ", ")
                throw DataStoreError(
                    .invalidKey,
                    "the collection \(mapping.collection) is reserved, like \(names); choose another name",
                    operation: operation)
            }
            if let other = types.updateValue(mapping.collection, forKey: mapping.entityType) {
                throw DataStoreError(
                    .invalidKey,
                    "the type is declared twice, in the collections \(other) and \(mapping.collection); keep one",
                    operation: operation)
            }
        }
        for mapping in entities { try declare(mapping) }
        try self.init(own + entities.map(\.schemaCollection))
    }
}
