public import DataStoreCore
public import UserProfileData
public import UserProfileDomain

extension UserProfileStorage {
    /// Entities of the embedding program's own, without mapping code.
    ///
    /// ```swift
    /// struct Note: Codable, Identifiable, Sendable {
    ///     let id: UUID
    ///     var title: String
    /// }
    ///
    /// let notes = try storage.repository(of: Note.self, in: "notes")
    /// try await notes.save(Note(id: UUID(), title: "milk"))
    /// ```
    ///
    /// How they are kept: `CodableMapping` of `UserProfileData`.
    ///
    /// - Parameters:
    ///   - type: the kind of entity.
    ///   - collection: the collection that they are kept in. It is on disk: the name stays when the type gets another one.
    ///   - queryFields: how fields are asked for that are not stored as they are queried.
    ///   - indexed: the names of fields that entities are found or sorted by often: each gets an index.
    ///   - unique: the names of fields that no two entities may have the same value of.
    /// - Returns: the repository.
    /// - Throws: `DataStoreError` where the collection is the library's own, or no collection can be called so.
    public func repository<Entity: Codable & Identifiable & Sendable>(
        of type: Entity.Type = Entity.self, in collection: String, queryFields: [String: FieldMapping] = [:],
        indexedBy indexed: [String] = [], uniqueBy unique: [String] = []
    ) throws(DataStoreError) -> some Repository<Entity> where Entity.ID: Codable & Sendable {
        try repository(
            CodableMapping(type, in: collection, queryFields: queryFields, indexedBy: indexed, uniqueBy: unique))
    }

    /// Entities of the embedding program's own, with a mapping that is written by hand.
    ///
    /// - Parameter mapping: how they are kept.
    /// - Returns: the repository.
    /// - Throws: `DataStoreError` where the collection is the library's own, or no collection can be called so.
    public func repository<Mapping: RecordMapping>(
        _ mapping: Mapping
    ) throws(DataStoreError) -> some Repository<Mapping.Entity> {
        _ = try Scan(mapping.collection)
        guard !UserProfileStorage.ownCollections.contains(mapping.collection) else {
            let names = UserProfileStorage.ownCollections.sorted().joined(separator: ", ")
            throw DataStoreError(
                .invalidKey, "the collections \(names) are the library's own; call this one otherwise",
                operation: "keep \(Mapping.Entity.self)s in \(mapping.collection)")
        }
        return DataStoreRepository(store: store, mapping: mapping)
    }

    /// Single values of the embedding program, each under a name.
    ///
    /// - Parameter name: the name of the group of values; groups have nothing to do with each other.
    /// - Returns: the settings.
    /// - Throws: `DataStoreError` where no group can be called so.
    public func settings(named name: String = "main") throws(DataStoreError) -> Settings {
        try Settings(store: store, named: name)
    }

    private static let ownCollections: Set = [
        UserMapping().collection, WeatherMapping().collection, Settings.collection,
    ]
}
