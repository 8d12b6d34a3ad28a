package import DataStoreCore

extension SchemaStore {
    /// Returns a schema store that declares the given collections: the given store if it already declares them,
    /// otherwise a new store that wraps it.
    package static func declaring(
        _ collections: [Schema.Collection], in store: any DataStore
    ) throws(DataStoreError) -> SchemaStore {
        let schema = try Schema(collections)
        if let store = store as? SchemaStore, collections.allSatisfy(store.schema.satisfies) { return store }
        return SchemaStore(store, schema: schema)
    }
}
