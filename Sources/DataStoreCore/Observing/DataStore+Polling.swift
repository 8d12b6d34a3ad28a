extension DataStore {
    /// Observes the store by polling its generation twenty times a second. This is the default implementation for a
    /// store that does not use ``ChangeObservers``.
    public func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable () -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        let first = await Observed(self)
        let task = Task {
            var seen = first
            while !Task.isCancelled {
                let now = await Observed(self)
                if now != seen { wake() }
                if now == .closed { return }
                seen = now
                // `sleep` throws if the task is cancelled.
                do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
            }
        }
        return ChangeObservation { task.cancel() }
    }
}

/// The result of polling a store: its generation, an error, or that the store is closed.
private enum Observed: Equatable {
    case generation(UInt64)
    case failure(String)
    case closed

    init(_ store: some DataStore) async {
        do {
            self = .generation(try await store.generation())
        } catch let error as DataStoreError where error.code == .closed {
            self = .closed
        } catch {
            self = .failure("\(error)")
        }
    }
}
