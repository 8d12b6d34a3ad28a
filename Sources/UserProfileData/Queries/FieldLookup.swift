import DataStoreCore
import DataStoreQueries

/// The index lookup of a field of an entity. A repository creates its lookups once, because finding the translation of
/// a field in a dictionary takes as many instructions as reading a record from the index.
struct FieldLookup: Sendable {
    /// The name of the field in the entity, and its translation.
    let field: (key: String, value: FieldMapping)
    let lookup: IndexLookup
}
