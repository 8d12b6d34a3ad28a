import Synchronization

/// The number of calls, from any thread.
package final class CallCount: Sendable {
    private let calls = Atomic(0)

    package init() {}

    package var count: Int { calls.load(ordering: .sequentiallyConsistent) }

    package func add() { calls.add(1, ordering: .sequentiallyConsistent) }
}
