import Dispatch
import Synchronization

/// Runs asynchronous code on the calling thread only. It therefore also works in a forked process, which has no other
/// threads.
final class CurrentThreadExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let wake = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        wake.signal()
    }

    /// Runs a closure and returns when it has finished.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let executor = CurrentThreadExecutor()
        let result = Mutex<Result<Value, any Error>?>(nil)
        Task(executorPreference: executor) {
            do {
                let value = try await body()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        while true {
            executor.wake.wait()
            executor.runAll()
            if let result = result.withLock(\.self) { return try result.get() }
        }
    }

    private func runAll() {
        let jobs = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        // The executor outlives the call.
        for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
