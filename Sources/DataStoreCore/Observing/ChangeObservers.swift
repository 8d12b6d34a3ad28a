import Synchronization

/// A collection of the observers of a ``DataStore``. Use it to implement ``DataStore/observe(_:_:)`` without polling.
///
/// ```swift
/// let observers = ChangeObservers()
/// // In `observe`:
/// return try observers.add(scope, wake)
/// // After a commit:
/// observers.wake(changedKeys)
/// ```
///
/// A store creates one instance and forwards ``DataStore/observe(_:_:)`` to ``add(_:_:whileObserved:)``. The store
/// calls ``wake(_:)`` after each commit that changed a record, and ``close()`` when it closes. If ``isEmpty`` is `true`
/// before a commit, the store need not collect the changed keys.
public final class ChangeObservers: Sendable, HidesRecords {
    fileprivate struct State {
        var lastNumber = 0
        /// The observers of single keys. Each observer is identified by a number.
        var keyObservers: [Key: [Int: @Sendable (ChangedKeys) -> Void]] = [:]
        var collectionObservers: [String: [Int: (ids: IDRange, wake: @Sendable (ChangedKeys) -> Void)]] = [:]
    }

    private let state = Mutex(State())
    private let count = Atomic(0)
    /// The object that the `watch` closure of an ``add(_:_:whileObserved:)`` call returned, the number of observers,
    /// and whether the store is closed.
    private let watchState = Mutex((watch: (any Sendable)?.none, count: 0, isClosed: false))

    /// Creates an instance without observers.
    public init() {}

    /// Whether there are no observers.
    ///
    /// If the property is `true` before a commit, the store need not collect the changed keys. Because an observer may
    /// be added during the commit, call ``wake(_:)`` with `nil` afterwards.
    public var isEmpty: Bool {
        // An observer registers before it reads; a committer notifies after it writes. At least one of them sees the
        // other.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return count.load(ordering: .relaxed) == 0
    }

    /// Adds an observer. The observer is removed when the returned observation is released.
    ///
    /// - Parameters:
    ///   - scope: The records to observe.
    ///   - wake: A closure that is called with the changed keys on any thread after a change. It must not block.
    ///   - watch: A closure that is called if no other observer exists. It returns an object to retain, e.g. a watcher
    ///     for commits of other processes, or `nil`. The object is released when the last observer is removed or the
    ///     store closes.
    /// - Returns: The observation.
    /// - Throws: ``DataStoreError`` if `watch` throws it, e.g. because other processes cannot be observed.
    public func add(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void,
        whileObserved watch: () throws(DataStoreError) -> (any Sendable)? = { nil }
    ) throws(DataStoreError) -> ChangeObservation {
        try watchState.withLock { watchState throws(DataStoreError) in
            // If the store is closed, the observer's next read reports it.
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

    /// Wakes the observers whose scope contains a changed record.
    ///
    /// - Parameter changes: The changed records, or `nil` if they are not known. `nil` wakes all observers.
    public func wake(_ changes: ChangedKeys?) {
        guard !isEmpty else { return }
        let changes = changes ?? .everything
        for wake in state.withLock({ $0.callbacks(for: changes) }) { wake(changes) }
    }

    /// Wakes all observers for the last time. Call it when the store closes.
    public func close() {
        let watch = watchState.withLock { watchState in
            watchState.isClosed = true
            return watchState.watch.take()
        }
        wake(nil)
        // The watcher is released outside the lock, because its release may block.
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
    fileprivate func callbacks(for changes: ChangedKeys) -> [@Sendable (ChangedKeys) -> Void] {
        guard let collections = changes.collections else {
            return keyObservers.values.flatMap(\.values) + collectionObservers.values.flatMap { $0.values.map(\.wake) }
        }
        var found: [Int: @Sendable (ChangedKeys) -> Void] = [:]
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

/// A running observation of a store, which ``DataStore/observe(_:_:)`` returns. It ends when its last reference is
/// released.
///
/// ```swift
/// let observation = try await store.observe(.collection("trips")) { _ in redraw() }
/// // … until the last reference to `observation` is released
/// ```
public final class ChangeObservation: Sendable {
    private let end: @Sendable () -> Void

    /// Creates an observation. Call it only in an implementation of ``DataStore``.
    ///
    /// - Parameter end: A closure that ends the observation. It is called once, on any thread, and must not block.
    public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
