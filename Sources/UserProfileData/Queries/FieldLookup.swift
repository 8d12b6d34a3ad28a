import DataStoreCore
import DataStoreQueries

/// The index lookup of a field of an entity. A repository creates its lookups once, because translating the name of a
/// field by a dictionary takes as many instructions as reading a record from the index.
struct FieldLookup: Sendable {
    /// The name of the field in the entity.
    let field: String
    let lookup: IndexLookup
}
