/// The writes that a ``WriterThread`` has taken from its queue, and those that arrive while they are committed. Only
/// the writer thread uses this object.
///
/// A round expects the writes that were pending after the last round, and one more write of each caller that the last
/// round has resumed, because many callers write again immediately.
package final class WriteRound {
    /// A write that has run, and the error that its caller receives, if any.
    package typealias Result = (write: PendingWrite, error: (any Error)?)

    /// The writes that were pending when the round began.
    package let writes: [PendingWrite]

    private let queue: WriteQueue
    private let start = ContinuousClock.now
    private let expectedCount: Int
    /// The time at which the round stops waiting for the expected writes.
    private let deadline: ContinuousClock.Instant
    /// The maximum time to wait for one more write. If no write arrives within this time, the round stops waiting.
    private let gatheringTime: Duration

    /// The number of writes that were finished or pending when callers were last resumed.
    private var nextCount = 0
    private var resumedCount = 0
    private var end: ContinuousClock.Instant?

    init(_ writes: [PendingWrite], of queue: WriteQueue, after last: WriteRound?) {
        self.writes = writes
        self.queue = queue
        // The next write of a lone caller does not wait for others.
        guard let last, let end = last.end, last.nextCount > 1 else {
            (expectedCount, deadline, gatheringTime) = (0, start, .zero)
            return
        }
        expectedCount = last.nextCount
        // A wait can save more time than it costs, because a write that misses a commit must wait until that commit
        // ends. It takes at most a quarter of the time of the last commits, and at most 25 milliseconds.
        let time = min(end - last.start, .milliseconds(100))
        deadline = end + time / 4
        gatheringTime = time / 8
    }

    /// Removes and returns pending writes. The caller runs them in its transaction, and then calls this function again.
    ///
    /// If no write is pending, the function waits for one, within the limits of the expectation.
    ///
    /// - Parameters:
    ///   - count: The number of writes that have run in the transaction.
    ///   - maximumCount: The maximum number of writes in the transaction.
    /// - Returns: The writes. The array is empty if as many writes as expected have run, or if no write arrives in
    ///   time.
    package func arrivals(after count: Int, atMost maximumCount: Int = .max) -> [PendingWrite] {
        guard count < min(expectedCount, maximumCount) else { return [] }
        let start = ContinuousClock.now
        while queue.count == 0 {
            let now = ContinuousClock.now
            guard now < deadline, now - start <= gatheringTime else { return [] }
            Thread.yield()
        }
        return queue.take(atMost: maximumCount - count)
    }

    /// Resumes the callers of writes, after their commit.
    package func finish(_ results: [Result]) {
        resumedCount += results.count
        nextCount = resumedCount + queue.count
        for (write, error) in results {
            if let error { write.fail(with: error) } else { write.succeed() }
        }
    }

    /// Resumes the callers of writes that fail with the same error.
    package func fail(_ writes: some Sequence<PendingWrite>, with error: any Error) {
        finish(writes.map { ($0, error) })
    }

    func finish() { end = .now }
}
