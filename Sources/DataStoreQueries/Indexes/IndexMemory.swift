import DataStoreCore

/// A cache of the index states of one snapshot. Later queries of the same snapshot use it.
final class IndexMemory: SnapshotCacheContent {
    /// The maximum number of cached states. A query searches them one by one.
    private static let capacity = 32

    private var states: [CachedState] = []

    /// Returns the index memory in a snapshot's cache. If the cache contains none, adds an empty index memory.
    static func of(_ cache: SnapshotCache) -> IndexMemory {
        if let memory = cache.content as? IndexMemory { return memory }
        let memory = IndexMemory()
        cache.content = memory
        return memory
    }

    func removeAll() { states.removeAll(keepingCapacity: true) }

    /// Returns the cached state of the index of a field, or `nil` if it is not cached.
    func state(of field: QueryField, of collection: String) -> CachedState? {
        states.first { $0.field == field && $0.collection.hasSameBytes(as: collection) }
    }

    /// Caches the state of the index of a field. If the field has no index, `state` is `nil`.
    func remember(_ state: IndexState?, of field: QueryField, of collection: String) {
        if states.count == Self.capacity { removeAll() }
        states.append(CachedState(collection, field, state))
    }
}

/// A cached state. It is an object, so that a search copies a reference and not three strings.
final class CachedState {
    let collection: String
    let field: QueryField
    let state: IndexState?

    init(_ collection: String, _ field: QueryField, _ state: IndexState?) {
        self.collection = collection
        self.field = field
        self.state = state
    }
}
