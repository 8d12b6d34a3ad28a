import Foundation

/// Runs each task on a thread of its own. (The concurrency runtime has no more threads than the machine has cores.)
final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
