extension DataStore {
    /// The record of a key, now and after each change of it.
    ///
    /// The first element is the record as it is. Each other one is a newer state, whoever changed it: this store, another
    /// of this process, or another process. A slow reader gets the newest state and may miss some in between; equal
    /// states are not repeated. The sequence ends when the store closes.
    ///
    /// - Parameters:
    ///   - key: which record.
    ///   - interval: how often the store is asked whether there was a commit, which costs much less than a read.
    /// - Returns: the states, nil where the key is not there. It throws what reading throws.
    public func updates(
        of key: Key, checkingEvery interval: Duration = .milliseconds(50)
    ) -> AsyncThrowingStream<Record?, any Error> {
        updates(checkingEvery: interval) { try $0.record(for: key) }
    }

    /// The entries of a scan, now and after each change of them; otherwise like ``updates(of:checkingEvery:)``.
    ///
    /// - Parameters:
    ///   - scan: which records.
    ///   - interval: how often the store is asked whether there was a commit.
    /// - Returns: the states. It throws what reading throws.
    public func updates(
        in scan: Scan, checkingEvery interval: Duration = .milliseconds(50)
    ) -> AsyncThrowingStream<[Entry], any Error> {
        updates(checkingEvery: interval) { try $0.records(in: scan) }
    }

    private func updates<State: Equatable & Sendable>(
        checkingEvery interval: Duration,
        _ state: @escaping @Sendable (borrowing ReadTransaction) throws -> State
    ) -> AsyncThrowingStream<State, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    try await watch(every: interval, state) { _ = continuation.yield($0) }
                    continuation.finish()
                } catch let error as DataStoreError where error.code == .closed {
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error is CancellationError ? nil : error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func watch<State: Equatable & Sendable>(
        every interval: Duration, _ state: @Sendable (borrowing ReadTransaction) throws -> State,
        show: (State) -> Void
    ) async throws {
        var seen: UInt64?
        var shown: State?
        while true {
            // Asked before reading: a commit in between is found the next time.
            let generation = try await generation()
            if generation != seen {
                seen = generation
                let current = try await read(state)
                if current != shown { show(current) }
                shown = current
            }
            try await Task.sleep(for: interval)
        }
    }
}
