import DataStoreCore
import DataStoreQueries
import RecordCoding
import UserProfileData
import UserProfileDomain

/// The sealed fields of the types of a storage. Either the store has sealed them, or the program declares them.
struct SealedTypes {
    let sealing: any StoreSealing
    private let declared: [String: [SealedFieldDefinition]]
    private let stored: SealedFields

    /// Reads the sealed fields of a store. The result is `nil` if neither the store nor the program has any.
    init?(
        _ store: any DataStore, _ keys: StoreKeys?, users: [SealedProperty<User>], _ entities: [EntityType]
    ) async throws {
        stored = try await store.read { try SealedFields(in: $0) }
        let mapping = UserMapping()
        let users = users.map { mapping.sealedField($0.field, isSearchable: $0.isSearchable) }
        let fields = entities.map { ($0.mapping.collection, $0.sealed) } + [(mapping.collection, users)]
        declared = Dictionary(fields, uniquingKeysWith: +).filter { !$0.value.isEmpty }
        if declared.isEmpty, stored.all.isEmpty { return nil }
        sealing = keys?.sealing(store) ?? LockedSealing(store)
    }

    /// Returns a mapping that seals and opens the fields of its collection.
    func mapping<Mapping: RecordMapping>(
        of mapping: Mapping, keepsIndexes: Bool = true
    ) throws(DataStoreError) -> any RecordMapping<Mapping.Entity> {
        let stored = stored.definitions(of: mapping.collection)
        let others = (declared[mapping.collection] ?? []).filter { field in
            !stored.contains { $0.field == field.field }
        }
        return try mapping.sealing(stored + others, sealing, keepsIndexes: keepsIndexes)
    }

    /// Seals the existing values of fields that the program declares and the store has not sealed.
    func sealExisting(through records: SchemaStore) async throws {
        if !declared.isEmpty { try await sealing.seal(declared, through: records) }
    }
}
