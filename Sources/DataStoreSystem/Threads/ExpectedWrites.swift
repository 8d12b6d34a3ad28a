package import DataStoreCore

/// The writes that a writer thread expects for the next commit, and the limits of its wait for them. The thread expects
/// the pending writes, and one more write of each caller that it has just resumed, because many callers write again
/// immediately.
package struct ExpectedWrites {
    private let count: Int
    /// The maximum number of writes in a transaction.
    private let maximumCount: Int
    /// The time at which the thread stops waiting for the expected writes.
    private let deadline: ContinuousClock.Instant
    /// The maximum time to wait for one more write. If no write arrives within this time, the thread stops waiting.
    private let gatheringTime: Duration

    /// Creates an expectation. Returns `nil` if at most one write is expected, because the next write of a lone caller
    /// does not wait for others.
    ///
    /// - Parameters:
    ///   - count: The number of expected writes.
    ///   - maximumCount: The maximum number of writes in a transaction.
    ///   - commitTime: The duration of the last commits. The thread waits at most a quarter of this time, and at most
    ///     25 milliseconds. The wait can save more time than it costs, because a write that misses a commit must wait
    ///     until that commit ends.
    package init?(count: Int, atMost maximumCount: Int = .max, after commitTime: Duration) {
        guard count > 1 else { return nil }
        self.count = min(count, maximumCount)
        self.maximumCount = maximumCount
        let time = min(commitTime, .milliseconds(100))
        deadline = .now + time / 4
        gatheringTime = time / 8
    }

    /// Removes and returns the pending writes of a queue. The thread runs them in the current transaction, in which
    /// `count` writes have run before, and then calls this function again.
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
        return queue.take(atMost: maximumCount - count)
    }
}
