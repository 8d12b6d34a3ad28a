import DataStoreCore
import DataStoreQueries
package import UserProfileDomain

extension DataStoreUnitOfWork {
    /// Returns a sequence of the results of a closure: first its current result, then the new result after each change
    /// to a collection that the closure has read.
    package func updates<Result: Sendable>(
        _ body: @escaping @Sendable (any SnapshotScope) throws -> Result
    ) -> Updates<Result> {
        store.updates(returning: { $0.result }) {
            var observed = ObservedRead<ObservedResult<Result>>([]) { first, second in
                isEqual(first.result, second.result)
            } _: { _, transaction in
                let scope = DataStoreUnitScope(store, mappings)
                let result = try scope.run(on: transaction.backend, body)
                let now = store.now()
                let expiry = try scope.collections.compactMap { try transaction.nextExpiry(of: $0, after: now) }.min()
                return (result, Set(scope.collections.map(ChangeScope.collection)), expiry)
            }
            observed.timeLeft = { store.timeLeft(until: $0.expiry) }
            observed.dependencies = { $0.scopes }
            return observed
        }
    }
}

/// The result of a closure, the records that it has read, and the date on which the next of them expires.
private typealias ObservedResult<Result> = (result: Result, scopes: Set<ChangeScope>, expiry: Timestamp?)
