extension DataStore {
    /// Asks for the generation twenty times a second, for stores that cannot tell of changes by themselves.
    public func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable () -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        let first = await Look(at: self)
        let task = Task {
            var seen = first
            while !Task.isCancelled {
                let now = await Look(at: self)
                if now != seen { wake() }
                if now == .closed { return }
                seen = now
                // Cancelled, it ends.
                do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
            }
        }
        return ChangeObservation { task.cancel() }
    }
}

/// What there is to be seen of a store without reading it.
private enum Look: Equatable {
    case generation(UInt64)
    case failure(String)
    case closed

    init(at store: some DataStore) async {
        do {
            self = .generation(try await store.generation())
        } catch let error as DataStoreError where error.code == .closed {
            self = .closed
        } catch {
            self = .failure("\(error)")
        }
    }
}
