package import DataStoreCore

/// The writes that a writer thread expects for the next commit, and the limits of its wait for them. The thread expects
/// the pending writes, and one more write of each caller that it has just resumed, because many callers write again
/// immediately.
package struct ExpectedWrites {
    private let count: Int
    /// The time at which the thread stops waiting for the expected writes.
    private let deadline: ContinuousClock.Instant
    /// The maximum time to wait for one more write. If no write arrives within this time, the thread stops waiting.
    private let gatheringTime: Duration

    /// Creates an expectation. Returns `nil` if only one caller writes, because its next write does not wait for
    /// others.
    ///
    /// - Parameters:
    ///   - count: The number of expected writes.
    ///   - commitTime: The duration of the last commit. The thread waits at most a quarter of this time. The wait can
    ///     save more time than it costs, because a write that misses a commit must wait until that commit ends.
    package init?(count: Int, after commitTime: Duration) {
        guard count > 1 else { return nil }
        self.count = count
        deadline = .now + commitTime / 4
        gatheringTime = commitTime / 8
    }

    /// Removes and returns pending writes of a queue, at most as many as are still expected. The thread runs them in
    /// the current transaction, in which `count` writes have run before, and then calls this function again.
    ///
    /// If no write is pending, the function waits for one, within the limits of the expectation.
    ///
    /// - Returns: The writes. The array is empty if as many writes as expected have run, or if no write arrives in
    ///   time.
    package func arrivals(in queue: WriteQueue, after count: Int) -> [PendingWrite] {
        guard count < self.count else { return [] }
        let start = ContinuousClock.now
        while queue.count == 0 {
            let now = ContinuousClock.now
            guard now < deadline, now - start <= gatheringTime else { return [] }
            Thread.yield()
        }
        return queue.take(atMost: self.count - count)
    }
}
