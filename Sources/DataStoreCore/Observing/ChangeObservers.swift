import Synchronization

/// The observers of a store.
///
/// A store owns one, forwards ``DataStore/observe(_:_:)`` to ``add(_:_:whileObserved:)``, calls ``wake(_:)`` after each
/// commit that changed something, and ``close()`` when it closes. Without observers, a commit only pays for
/// ``isEmpty``.
public final class ChangeObservers: Sendable {
    fileprivate struct State {
        var lastNumber = 0
        /// The observers of single keys, by their numbers.
        var keyObservers: [Key: [Int: @Sendable () -> Void]] = [:]
        var collectionObservers: [String: [Int: (ids: IDRange, wake: @Sendable () -> Void)]] = [:]
    }

    private struct WatchState {
        var count = 0
        var watch: (any Sendable)?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let count = Atomic(0)
    /// Locked while the first observer is added or the last one removed.
    private let watchState = Mutex(WatchState())

    /// Creates a list without observers.
    public init() {}

    /// Whether there are no observers. Call it after a commit, not before: an observer that is added meanwhile may have
    /// read the old state.
    public var isEmpty: Bool {
        // An observer registers before it reads; a committer notifies after it writes. At least one of them sees the
        // other.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return count.load(ordering: .relaxed) == 0
    }

    /// Adds an observer, which is removed when the returned observation is released.
    ///
    /// - Parameters:
    ///   - scope: The records to observe.
    ///   - wake: Called on any thread; it must not block.
    ///   - watch: Called for the first observer. Its result, e.g. a watcher for commits of other processes, is retained
    ///     until the last observer is removed or the store closes.
    /// - Returns: The observation.
    /// - Throws: ``DataStoreError`` if other processes cannot be observed.
    public func add(
        _ scope: ChangeScope, _ wake: @escaping @Sendable () -> Void,
        whileObserved watch: () throws(DataStoreError) -> (any Sendable)? = { nil }
    ) throws(DataStoreError) -> ChangeObservation {
        try watchState.withLock { watchState throws(DataStoreError) in
            // If the store is closed, the next read reports it.
            if watchState.count == 0, !watchState.isClosed { watchState.watch = try watch() }
            watchState.count += 1
        }
        let number = state.withLock { state in
            state.lastNumber += 1
            switch scope {
            case .key(let key): state.keyObservers[key, default: [:]][state.lastNumber] = wake
            case .ids(let ids, let collection):
                state.collectionObservers[collection, default: [:]][state.lastNumber] = (ids, wake)
            }
            return state.lastNumber
        }
        count.add(1, ordering: .sequentiallyConsistent)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return ChangeObservation { [self] in remove(number, of: scope) }
    }

    /// Wakes the observers whose scope contains a change.
    ///
    /// - Parameter changes: The changed records; `nil` if they are not known.
    public func wake(_ changes: ChangedKeys?) {
        guard !isEmpty else { return }
        for wake in state.withLock({ $0.callbacks(for: changes ?? .everything) }) { wake() }
    }

    /// Wakes all observers for the last time, because the store is closed.
    public func close() {
        let watch = watchState.withLock { watchState in
            watchState.isClosed = true
            return watchState.watch.take()
        }
        wake(nil)
        // Released outside the lock, because that may block.
        _ = watch
    }

    private func remove(_ number: Int, of scope: ChangeScope) {
        count.subtract(1, ordering: .relaxed)
        state.withLock { $0.remove(number, of: scope) }
        let watch = watchState.withLock { watchState in
            watchState.count -= 1
            return watchState.count == 0 ? watchState.watch.take() : nil
        }
        _ = watch
    }
}

extension ChangeObservers.State {
    fileprivate func callbacks(for changes: ChangedKeys) -> [@Sendable () -> Void] {
        guard let collections = changes.collections else {
            return keyObservers.values.flatMap(\.values) + collectionObservers.values.flatMap { $0.values.map(\.wake) }
        }
        var found: [Int: @Sendable () -> Void] = [:]
        for key in changes.keys {
            if let observers = keyObservers[key] { found.merge(observers) { $1 } }
            for (number, observer) in collectionObservers[key.collection] ?? [:] where observer.ids.contains(key.id) {
                found[number] = observer.wake
            }
        }
        guard !collections.isEmpty else { return Array(found.values) }
        for (key, observers) in keyObservers where collections.contains(key.collection) {
            found.merge(observers) { $1 }
        }
        for collection in collections {
            for (number, observer) in collectionObservers[collection] ?? [:] { found[number] = observer.wake }
        }
        return Array(found.values)
    }

    fileprivate mutating func remove(_ number: Int, of scope: ChangeScope) {
        switch scope {
        case .key(let key):
            keyObservers[key]?[number] = nil
            if keyObservers[key]?.isEmpty == true { keyObservers[key] = nil }
        case .ids(_, let collection):
            collectionObservers[collection]?[number] = nil
            if collectionObservers[collection]?.isEmpty == true { collectionObservers[collection] = nil }
        }
    }
}
