import DataStoreSystem

/// An executor that runs tasks on the main thread, and on a second thread while the main thread is busy, e.g. while it
/// waits for input.
///
/// The default executor starts threads through Dispatch. Dispatch retries forever if the process cannot start a thread,
/// and traps if no file descriptor is left. A command would then never end, or end after a save without a message.
final class ProgramExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        /// The number of threads that wait for jobs. The main thread counts as one before it runs the executor.
        var idleCount = 1
        var hasSecondThread = false
    }

    private let state = Monitor(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let startsThread = state.change { state in
            state.jobs.append(job)
            guard state.jobs.count > state.idleCount, !state.hasSecondThread else { return false }
            state.hasSecondThread = true
            state.idleCount += 1
            return true
        }
        guard startsThread, Thread.start({ self.run() }) != 0 else { return }
        // The main thread runs the job when its current one ends or suspends.
        state.change { state in
            state.hasSecondThread = false
            state.idleCount -= 1
        }
    }

    /// Runs jobs on the current thread until one of them ends the process.
    func run() -> Never {
        while true {
            let job = state.wait { state -> UnownedJob? in
                guard !state.jobs.isEmpty else { return nil }
                state.idleCount -= 1
                return state.jobs.removeFirst()
            }
            // This object exists as long as the process.
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            state.withLock { $0.idleCount += 1 }
        }
    }
}
