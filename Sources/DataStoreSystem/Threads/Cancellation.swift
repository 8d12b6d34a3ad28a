import Synchronization

/// A flag that passes the cancellation of a task to the thread for which the task waits.
package final class Cancellation: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package var isCancelled: Bool { flag.load(ordering: .relaxed) }

    package func cancel() { flag.store(true, ordering: .relaxed) }

    package func check() throws(CancellationError) {
        if isCancelled { throw CancellationError() }
    }
}
