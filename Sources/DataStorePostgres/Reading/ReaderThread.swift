import DataStoreSystem
import Synchronization

/// A thread that waits for the server, with the connection that it uses. It runs one read at a time.
///
/// The actor is its own executor, so its functions run on the thread. The thread retains it until ``end()`` is called.
actor ReaderThread: SerialExecutor {
    private nonisolated let state = Monitor((jobs: [UnownedJob](), isEnded: false))
    // The lock is never contended, because only the task that acquired the thread from its pool uses it.
    private nonisolated let link: Mutex<ServerLink>

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe asUnownedSerialExecutor() }

    /// Starts the thread.
    init(_ connections: Connections) throws(DataStoreError) {
        link = Mutex(ServerLink(connections))
        try Thread.start("start a reader thread") { self.runJobs() }
    }

    /// Runs a closure on the thread.
    func run<Result: Sendable>(_ body: @Sendable (ServerLink) throws -> Result) throws -> Result {
        try link.withLock { try body($0) }
    }

    /// Requests the record of a key for the next read, on the thread of the caller. The server then works while this
    /// thread wakes up. The function does not wait for the server.
    nonisolated func prefetch(_ key: Key, until deadline: ContinuousClock.Instant) {
        _ = link.withLockIfAvailable { $0.prefetch(key, until: deadline) }
    }

    /// Ends the thread after it has run all jobs.
    nonisolated func end() { state.change { $0.isEnded = true } }

    nonisolated func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.change { $0.jobs.append(job) }
    }

    private nonisolated func runJobs() {
        while true {
            let jobs = state.wait { state in
                state.jobs.isEmpty && !state.isEnded ? nil : exchange(&state.jobs, with: [])
            }
            // The thread has been ended, and has run all jobs.
            if jobs.isEmpty { return }
            // Only this actor enqueues jobs here.
            for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }
}
