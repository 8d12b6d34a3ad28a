import Synchronization

/// How often somebody was called, by any thread.
package final class CallCount: Sendable {
    private let calls = Atomic(0)

    package init() {}

    package var count: Int { calls.load(ordering: .sequentiallyConsistent) }

    package func add() { calls.add(1, ordering: .sequentiallyConsistent) }
}
