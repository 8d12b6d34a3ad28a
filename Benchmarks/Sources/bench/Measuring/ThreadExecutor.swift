import Foundation

/// A task executor that runs each task on a separate thread. The concurrency runtime has only as many threads as the
/// machine has cores.
final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
