public import DataStoreCore
public import UserProfileDomain

extension DataStore {
    /// Returns a repository whose entities are stored as records in this store.
    ///
    /// ```swift
    /// let profiles = UserUseCase(users: try store.repository(mapping: User.mapping()))
    /// ```
    ///
    /// The repository needs a `SchemaStore` that declares the collection and the indexes of the mapping. If this store
    /// is not one, the repository wraps it in a new `SchemaStore`.
    ///
    /// - Parameter mapping: The mapping that converts entities to records and back.
    /// - Returns: The repository.
    /// - Throws: `DataStoreError` if the collection, an index or a query field of the mapping is invalid.
    public func repository<Mapping: RecordMapping>(
        mapping: Mapping
    ) throws(DataStoreError) -> any Repository<Mapping.Entity> {
        try DataStoreRepository(store: self, mapping: mapping)
    }

    /// Returns a unit of work that changes entities of several types in one transaction of this store.
    ///
    /// - Parameter mappings: The mappings of the entities, one for each type.
    /// - Returns: The unit of work.
    /// - Throws: `DataStoreError` if two mappings have the same collection or entity type, or if the collection, an
    ///   index or a query field of a mapping is invalid.
    public func unitOfWork(mappings: [any RecordMapping]) throws(DataStoreError) -> any UnitOfWork {
        try DataStoreUnitOfWork(store: self, mappings: mappings)
    }
}
