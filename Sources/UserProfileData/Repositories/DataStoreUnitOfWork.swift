package import DataStoreCore
package import DataStoreQueries
package import UserProfileDomain

/// A unit of work that changes entities of several types in one transaction of a data store.
package struct DataStoreUnitOfWork: UnitOfWork, HidesEntities {
    private let store: SchemaStore
    private let mappings: [ObjectIdentifier: any RecordMapping]

    /// Creates a unit of work over a store.
    ///
    /// - Parameters:
    ///   - store: The store. If it is not a `SchemaStore` that declares the collections of the mappings, the unit of
    ///     work wraps it in one.
    ///   - mappings: The mappings of the entities, one for each type.
    /// - Throws: `DataStoreError` if two mappings have the same collection or entity type, or if the collection, an
    ///   index or a query field of a mapping is invalid.
    package init(store: any DataStore, mappings: [any RecordMapping]) throws(DataStoreError) {
        var types: Set<ObjectIdentifier> = []
        for mapping in mappings where !types.insert(mapping.entityType).inserted {
            throw DataStoreError(
                .misuse, "two mappings use the collection \(mapping.collection); pass one mapping for each type",
                operation: "create a unit of work")
        }
        self.init(try SchemaStore.declaring(mappings.map(\.schemaCollection), in: store), mappings: mappings)
    }

    /// Creates a unit of work over a `SchemaStore` that declares the collections of the mappings.
    package init(_ store: SchemaStore, mappings: [any RecordMapping]) {
        self.store = store
        self.mappings = Dictionary(mappings.map { ($0.entityType, $0) }) { first, _ in first }
    }

    /// Runs a closure in one transaction and returns its result.
    package func perform<Result: Sendable>(
        _ work: @escaping @Sendable (any UnitOfWorkScope) throws -> Result
    ) async throws -> Result {
        do {
            return try await store.write { transaction in
                try DataStoreUnitScope(mappings).run(in: &transaction, work)
            }
        } catch let error as ChangeFailure {
            // An error of the caller's closure is thrown unchanged.
            throw error.cause
        } catch {
            throw RepositoryError.mapped(error)
        }
    }
}
