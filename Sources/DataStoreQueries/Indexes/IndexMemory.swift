import DataStoreCore

/// The states of indexes in a snapshot, kept for the next query of the same snapshot.
final class IndexMemory: SnapshotCacheContent {
    /// The number of states that are kept. They are searched one by one.
    private static let capacity = 32

    private var states: [CachedState] = []

    /// Returns the memory in a cache, which is created if the cache has none.
    static func of(_ cache: SnapshotCache) -> IndexMemory {
        if let memory = cache.content as? IndexMemory { return memory }
        let memory = IndexMemory()
        cache.content = memory
        return memory
    }

    func removeAll() { states.removeAll(keepingCapacity: true) }

    /// Returns the state of an index; `find` is called if it is not kept.
    func state(
        of name: String, of collection: String, _ find: () throws -> IndexState?
    ) throws -> IndexState? {
        for known in states where known.name.hasSameBytes(as: name) && known.collection.hasSameBytes(as: collection) {
            return known.state
        }
        let state = try find()
        if states.count == Self.capacity { removeAll() }
        states.append(CachedState(collection, name, state))
        return state
    }
}

/// One state. It is an object, so that a search copies a reference and not three strings.
private final class CachedState {
    let collection: String
    let name: String
    let state: IndexState?

    init(_ collection: String, _ name: String, _ state: IndexState?) {
        self.collection = collection
        self.name = name
        self.state = state
    }
}
