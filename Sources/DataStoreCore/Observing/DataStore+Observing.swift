extension DataStore {
    /// Returns a sequence of the states of a record: first the current record, then the new record after each change.
    /// An element is `nil` while the key does not exist.
    public func updates(of key: Key) -> RecordUpdates<Record?> {
        updates(within: .key(key)) { try $0.record(for: key) }
    }

    /// Returns a sequence of the results of a scan: first the current entries, then all entries of the scan after each
    /// change.
    public func updates(in scan: Scan) -> RecordUpdates<[Entry]> {
        updates(within: .scan(scan)) { try $0.records(in: scan) }
    }

    /// Returns a sequence of the results of a repeated read: first the current result, then the new result after each
    /// change.
    ///
    /// - Parameters:
    ///   - scope: The records that the result depends on. A change to any other record need not cause another read.
    ///   - read: A closure that reads the result. It may run at any time and must have no other effect.
    /// - Returns: The sequence.
    package func updates<State: Equatable & Sendable>(
        within scope: ChangeScope, _ read: @escaping @Sendable (borrowing ReadTransaction) throws -> State
    ) -> RecordUpdates<State> {
        RecordUpdates(self, [scope], isSame: { $0 == $1 }) { _, transaction in try read(transaction) }
    }
}

extension DataStore {
    /// Observes the whole store by polling its generation twenty times a second. Call it in ``observe(_:_:)`` of a
    /// store that cannot detect commits.
    ///
    /// - Parameter wake: A closure that is called with ``ChangedKeys/everything`` after each poll that has found
    ///   another generation.
    /// - Returns: The observation, which ends when its last reference is released.
    public func observeByPolling(_ wake: @escaping @Sendable (ChangedKeys) -> Void) async -> ChangeObservation {
        let state = { @Sendable in await PolledState { try await self.generation() } }
        return ChangeObservation(polling: state, from: await state()) { wake(.everything) }
    }
}

extension ChangeObservation {
    /// Starts a task that calls a closure twenty times a second and compares the states that it returns.
    ///
    /// - Parameters:
    ///   - state: A closure that returns the current state of a store.
    ///   - first: The state with which the first one is compared.
    ///   - wake: A closure that is called when the state differs from the previous one.
    package convenience init(
        polling state: @escaping @Sendable () async -> PolledState, from first: PolledState,
        _ wake: @escaping @Sendable () -> Void
    ) {
        let task = Task.detached {
            var seen = first
            while !Task.isCancelled {
                let now = await state()
                if now != seen { wake() }
                if now == .closed { return }
                seen = now
                // `sleep` throws if the task is cancelled.
                do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
            }
        }
        self.init { task.cancel() }
    }
}

/// The state of a store that a poll finds: its generation, the description of an error, or that the store is closed.
package enum PolledState: Equatable, Sendable {
    case generation(UInt64)
    case failure(String)
    case closed

    package init(_ generation: () throws -> UInt64) {
        do {
            self = .generation(try generation())
        } catch {
            self.init(error)
        }
    }

    package init(_ generation: () async throws -> UInt64) async {
        do {
            self = .generation(try await generation())
        } catch {
            self.init(error)
        }
    }

    private init(_ error: any Error) {
        self = (error as? DataStoreError)?.code == .closed ? .closed : .failure("\(error)")
    }

    package var isGeneration: Bool { if case .generation = self { true } else { false } }
}
