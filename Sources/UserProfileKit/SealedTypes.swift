/// The sealed fields of the types of a storage. Either the store has sealed them, or the program declares them.
struct SealedTypes {
    let sealing: any StoreSealing
    private let declared: [SealedFields.Path: SealedFieldDefinition]
    private let stored: SealedFields

    /// Reads the sealed fields of a store. The result is `nil` if neither the store nor the program has any.
    init?(_ store: any DataStore, _ keys: StoreKeys?, _ entities: [EntityType]) async throws {
        stored = try await store.read { try SealedFields(in: $0) }
        var declared: [SealedFields.Path: SealedFieldDefinition] = [:]
        for entity in entities {
            for definition in entity.sealed {
                let path = SealedFields.Path(collection: entity.mapping.collection, field: definition.field.path)
                declared[path] = definition
            }
        }
        self.declared = declared
        if declared.isEmpty, stored.all.isEmpty { return nil }
        sealing = keys?.sealing(store) ?? LockedSealing(store)
    }

    /// Returns a mapping that seals and opens the fields of its collection.
    func mapping<Mapping: RecordMapping>(
        of mapping: Mapping, keepsIndexes: Bool = true
    ) throws(DataStoreError) -> any RecordMapping<Mapping.Entity> {
        // A stored field that a migration renames, or that the type does not have, is not one of the mapping.
        var definitions = stored.fields(of: mapping.collection).map(\.definition)
            .filter { mapping.hasSealableField($0.field) }
        for (path, definition) in declared where path.collection.hasSameBytes(as: mapping.collection) {
            if !definitions.contains(where: { $0.field == definition.field }) { definitions.append(definition) }
        }
        return try mapping.sealing(definitions, sealing, keepsIndexes: keepsIndexes)
    }

    /// Seals the existing values of fields that the program declares and the store has not sealed.
    func sealExisting(through records: SchemaStore) async throws {
        if !declared.isEmpty { try await sealing.seal(declared, through: records) }
    }
}
