public import DataStoreCore
public import UserProfileDomain

extension DataStore {
    /// Returns a repository of entities that are records of this store.
    ///
    /// ```swift
    /// let profiles = UserUseCase(users: try store.repository(mapping: User.mapping()))
    /// ```
    ///
    /// If the store is a `SchemaStore` that declares the mapping's collection, the repository uses that schema.
    ///
    /// - Parameter mapping: Converts between entities and records.
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
    /// - Throws: `DataStoreError` if two mappings have the same type of entities, or if one of them is invalid.
    public func unitOfWork(mappings: [any RecordMapping]) throws(DataStoreError) -> any UnitOfWork {
        try DataStoreUnitOfWork(store: self, mappings: mappings)
    }
}
