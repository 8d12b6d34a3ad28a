import DataStoreCore
import DataStoreSystem

/// An executor with a thread of its own, on which a reader waits for the server. The thread ends after ``end()``.
final class ReaderThread: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isEnded = false
    }

    private let state = Monitor(State())

    /// Starts the thread.
    init() throws(DataStoreError) {
        // The thread retains this object until it ends.
        let code = Thread.start { self.run() }
        guard code == 0 else { throw DataStoreError.noThread(code, "start a reader thread") }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.change { $0.jobs.append(job) }
    }

    /// Ends the thread after it has run all jobs.
    func end() { state.change { $0.isEnded = true } }

    private func run() {
        while let jobs = next() {
            // The actor that uses this executor enqueues the jobs, so they run here.
            for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    private func next() -> [UnownedJob]? {
        state.wait { state -> [UnownedJob]?? in
            guard state.jobs.isEmpty else {
                defer { state.jobs.removeAll() }
                return .some(state.jobs)
            }
            return state.isEnded ? .some(nil) : nil
        }
    }
}
