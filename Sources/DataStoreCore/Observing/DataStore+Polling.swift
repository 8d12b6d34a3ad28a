extension DataStore {
    /// Polls the generation twenty times a second, for stores that do not report changes themselves.
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
                // A cancelled task ends here.
                do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
            }
        }
        return ChangeObservation { task.cancel() }
    }
}

/// What can be observed of a store without reading records.
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
