/// The sealed fields of the types of a storage. Either the store has sealed them, or the program declares them.
struct SealedTypes {
    let sealing: any StoreSealing
    private let declared: [SealedPath: SealedFieldDefinition]
    private let stored: [SealedPath: SealedField]

    /// Reads the sealed fields of a store. The result is `nil` if neither the store nor the program has any.
    init?(_ store: any DataStore, _ keys: StoreKeys?, _ entities: [EntityType]) async throws {
        stored = try await store.read { try $0.rules() }.sealed
        let definitions = entities.flatMap { entity in
            entity.sealed.map { ($0.path(in: entity.mapping.collection), $0) }
        }
        declared = Dictionary(definitions) { $1 }
        if declared.isEmpty, stored.isEmpty { return nil }
        sealing = keys?.sealing(store) ?? LockedSealing(store)
    }

    /// Returns a mapping that seals and opens the fields of its collection.
    func mapping<Mapping: RecordMapping>(
        of mapping: Mapping, keepsIndexes: Bool = true
    ) throws(DataStoreError) -> any RecordMapping<Mapping.Entity> {
        // A stored field that a migration renames, or that the type does not have, is not one of the mapping.
        let known = stored.mapValues(\.definition).filter { mapping.hasSealableField($1.field) }
        let definitions = known.merging(declared) { stored, _ in stored }
            .filter { path, _ in path.collection.hasSameBytes(as: mapping.collection) }
            .sorted { $0.key < $1.key }.map(\.value)
        return try mapping.sealing(definitions, sealing, keepsIndexes: keepsIndexes)
    }

    /// Seals the existing values of fields that the program declares and the store has not sealed.
    func sealExisting(through records: SchemaStore) async throws {
        if !declared.isEmpty { try await sealing.seal(declared, through: records) }
    }
}
