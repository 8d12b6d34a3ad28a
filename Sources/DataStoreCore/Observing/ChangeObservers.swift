import Synchronization

/// Those who observe a store: what it tells of its commits, and whom that concerns.
///
/// A store of your own has one, hands ``DataStore/observe(_:_:)`` on to ``add(_:_:whileObserved:)``, calls ``wake(_:)`` after each commit
/// that changed something, and ``close()`` when it closes. As long as nobody observes, all that costs a commit is to ask
/// ``isEmpty``.
public final class ChangeObservers: Sendable {
    fileprivate struct State {
        var lastNumber = 0
        /// Who observes a record, and who a range of a collection, by their numbers.
        var ofKeys: [Key: [Int: @Sendable () -> Void]] = [:]
        var ofCollections: [String: [Int: (ids: IDRange, wake: @Sendable () -> Void)]] = [:]
    }

    private struct Watching {
        var count = 0
        var watch: (any Sendable)?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let count = Atomic(0)
    /// Held while the first one comes or the last one goes.
    private let watching = Mutex(Watching())

    /// Nobody yet.
    public init() {}

    /// Whether there is nobody to be told.
    ///
    /// To be asked after a commit took place, not before: who begins to observe meanwhile has perhaps read the old state.
    public var isEmpty: Bool {
        // Who comes counts and then reads; who commits has written and then looks at the count. One of them sees the other.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return count.load(ordering: .relaxed) == 0
    }

    /// Begins to wake somebody, until the observation is let go of.
    ///
    /// - Parameters:
    ///   - scope: of what there is to be told.
    ///   - wake: is called on any thread and must not wait for anything.
    ///   - watch: is called where nobody observed before. What it returns is kept until nobody does any more, or the store closes:
    ///     what looks for commits of other processes.
    /// - Returns: the observation.
    /// - Throws: ``DataStoreError`` where other processes cannot be observed.
    public func add(
        _ scope: ChangeScope, _ wake: @escaping @Sendable () -> Void,
        whileObserved watch: () throws(DataStoreError) -> (any Sendable)? = { nil }
    ) throws(DataStoreError) -> ChangeObservation {
        try watching.withLock { watching throws(DataStoreError) in
            // Where it was closed before, the next read says so.
            if watching.count == 0, !watching.isClosed { watching.watch = try watch() }
            watching.count += 1
        }
        let number = state.withLock { state in
            state.lastNumber += 1
            switch scope {
            case .key(let key): state.ofKeys[key, default: [:]][state.lastNumber] = wake
            case .ids(let ids, let collection):
                state.ofCollections[collection, default: [:]][state.lastNumber] = (ids, wake)
            }
            return state.lastNumber
        }
        count.add(1, ordering: .sequentiallyConsistent)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return ChangeObservation { [self] in remove(number, of: scope) }
    }

    /// Wakes those whom a commit concerns. Nobody has a part in that who is not concerned.
    ///
    /// - Parameter changes: what has changed; nil where that is not known.
    public func wake(_ changes: ChangedKeys?) {
        guard !isEmpty else { return }
        for wake in state.withLock({ $0.concerned(by: changes ?? .everything) }) { wake() }
    }

    /// Wakes everybody for the last time: the store is closed.
    public func close() {
        let watch = watching.withLock { watching in
            watching.isClosed = true
            return watching.watch.take()
        }
        wake(nil)
        // It may take its time to go.
        _ = watch
    }

    private func remove(_ number: Int, of scope: ChangeScope) {
        count.subtract(1, ordering: .relaxed)
        state.withLock { $0.remove(number, of: scope) }
        let watch = watching.withLock { watching in
            watching.count -= 1
            return watching.count == 0 ? watching.watch.take() : nil
        }
        _ = watch
    }
}

extension ChangeObservers.State {
    fileprivate func concerned(by changes: ChangedKeys) -> [@Sendable () -> Void] {
        guard let collections = changes.collections else {
            return ofKeys.values.flatMap(\.values) + ofCollections.values.flatMap { $0.values.map(\.wake) }
        }
        var found: [Int: @Sendable () -> Void] = [:]
        for key in changes.keys {
            if let wakes = ofKeys[key] { found.merge(wakes) { $1 } }
            for (number, observer) in ofCollections[key.collection] ?? [:] where observer.ids.contains(key.id) {
                found[number] = observer.wake
            }
        }
        guard !collections.isEmpty else { return Array(found.values) }
        for (key, wakes) in ofKeys where collections.contains(key.collection) { found.merge(wakes) { $1 } }
        for collection in collections {
            for (number, observer) in ofCollections[collection] ?? [:] { found[number] = observer.wake }
        }
        return Array(found.values)
    }

    fileprivate mutating func remove(_ number: Int, of scope: ChangeScope) {
        switch scope {
        case .key(let key):
            ofKeys[key]?[number] = nil
            if ofKeys[key]?.isEmpty == true { ofKeys[key] = nil }
        case .ids(_, let collection):
            ofCollections[collection]?[number] = nil
            if ofCollections[collection]?.isEmpty == true { ofCollections[collection] = nil }
        }
    }
}
