import Foundation
import Synchronization
import UserProfileKit

/// A store whose reads a test counts, and pauses within their snapshots, and whose writes it precedes by others.
final class HookedStore: DataStore {
    private let base: any DataStore
    private let reads = Mutex(0)
    private let pause = Mutex<(@Sendable () -> Void)?>(nil)
    private let interference = Mutex<(@Sendable () async throws -> Void)?>(nil)

    init(_ base: any DataStore) { self.base = base }

    /// The number of reads.
    var readCount: Int { reads.withLock { $0 } }

    /// Runs a closure at the end of each read that starts from now on, while its snapshot is open. It may block.
    func pauseReads(by pause: (@Sendable () -> Void)?) { self.pause.withLock { $0 = pause } }

    /// Runs a closure immediately before the next write. It may write, too.
    func precedeNextWrite(by interference: @escaping @Sendable () async throws -> Void) {
        self.interference.withLock { $0 = interference }
    }

    func read<Result: Sendable>(
        _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        reads.withLock { $0 += 1 }
        guard let pause = pause.withLock({ $0 }) else { return try await base.read(body) }
        // A blocked thread of its own, because the concurrency runtime has few threads.
        return try await withTaskExecutorPreference(ThreadExecutor()) {
            try await base.read { transaction in
                let result = try body(transaction)
                pause()
                return result
            }
        }
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        let interference = interference.withLock { interference in
            defer { interference = nil }
            return interference
        }
        try await interference?()
        return try await base.write(body)
    }

    func generation() async throws -> UInt64 { try await base.generation() }

    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        try await base.observe(scope, wake)
    }

    func close() async { await base.close() }
}

/// A task executor that runs each job on a thread of its own.
private final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
