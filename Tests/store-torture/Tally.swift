import Synchronization

/// A sum that any thread can add to.
final class Tally: Sendable {
    private let value = Mutex(0)

    var sum: Int { value.withLock(\.self) }

    func add(_ count: Int) { value.withLock { $0 += count } }
}
