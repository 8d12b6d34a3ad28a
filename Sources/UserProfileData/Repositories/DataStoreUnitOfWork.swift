public import DataStoreCore
public import UserProfileDomain

/// A unit of work in one transaction of a data store.
public struct DataStoreUnitOfWork: UnitOfWork {
    private let store: any DataStore
    private let mappings: [ObjectIdentifier: any RecordMapping]

    /// Works on a store.
    ///
    /// - Parameters:
    ///   - store: where the records are kept.
    ///   - mappings: how entities are kept as records, one for each kind; of two for one kind the last counts.
    public init(store: any DataStore, mappings: [any RecordMapping]) {
        func kind<Mapping: RecordMapping>(_ mapping: Mapping) -> ObjectIdentifier {
            ObjectIdentifier(Mapping.Entity.self)
        }
        self.store = store
        self.mappings = Dictionary(mappings.map { (kind($0), $0) }) { $1 }
    }

    /// Runs a closure in a transaction.
    public func perform<Result: Sendable>(
        _ work: @escaping @Sendable (any UnitOfWorkScope) throws -> Result
    ) async throws -> Result {
        do {
            return try await store.write { transaction in
                try DataStoreUnitScope(mappings).run(work, in: &transaction)
            }
        } catch let error as ChangeFailure {
            // What the caller's closure threw goes to the caller as it is.
            throw error.cause
        } catch {
            throw RepositoryError.mapped(error)
        }
    }
}
