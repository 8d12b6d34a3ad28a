import UserProfileKit

extension UserProfileStorage {
    /// Returns the results of a read: the current one, and each different one after a commit that may have changed a
    /// collection. The collection need not have an entity type.
    ///
    /// - Parameters:
    ///   - collection: The name of the collection.
    ///   - read: Reads the value.
    /// - Returns: The sequence, for a live model.
    func updates<Value: Equatable & Sendable>(
        in collection: String, _ read: @escaping @Sendable () async throws -> Value
    ) -> Updates<Value> {
        Updates { [records] in
            let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            var (observation, isOver) = (ChangeObservation?.none, false)
            var last: Value?
            waker.yield()
            return { () async throws(RepositoryError) -> Value? in
                if isOver { return nil }
                do {
                    if observation == nil {
                        observation = try await records.observe(.collection(collection)) { _ in waker.yield() }
                    }
                    for await _ in wakes {
                        let value = try await read()
                        if value != last {
                            last = value
                            return value
                        }
                    }
                    return nil
                } catch {
                    // A store that cannot be observed does not wake. The page shows its error.
                    isOver = observation == nil
                    throw error as? RepositoryError
                        ?? RepositoryError(.unexpected, message: Failure(error).message)
                }
            }
        }
    }

    /// Returns the generations of the store in which a collection may have changed.
    func generations(of collection: String) -> Updates<UInt64> {
        updates(in: collection) { [records] in try await records.generation() }
    }
}
