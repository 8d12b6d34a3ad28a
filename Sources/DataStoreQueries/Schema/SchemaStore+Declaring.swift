package import DataStoreCore

extension SchemaStore {
    /// Returns a store that declares collections: the store itself if it is a schema store that does.
    package static func declaring(
        _ collections: [Schema.Collection], in store: any DataStore
    ) throws(DataStoreError) -> SchemaStore {
        let schema = try Schema(collections)
        if let store = store as? SchemaStore, collections.allSatisfy(store.schema.satisfies) { return store }
        return SchemaStore(store, schema: schema)
    }
}
