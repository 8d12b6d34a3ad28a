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

    func removeAll() { states = [] }

    /// Returns the cached state of the index of a field, or `nil` if it is not cached.
    func state(of field: QueryField, of collection: String) -> CachedState? {
        for state in states where state.field == field && state.collection.hasSameBytes(as: collection) { return state }
        return nil
    }

    /// Caches the state of an index.
    func remember(_ state: CachedState) {
        if states.count == Self.capacity { removeAll() }
        states.append(state)
    }
}

/// The state of an index in a snapshot. It is an object, so that a search copies a reference and not three strings.
final class CachedState {
    let collection: String
    let field: QueryField
    /// The state, or `nil` if the index does not exist.
    let state: IndexState?

    private init(_ collection: String, _ field: QueryField, _ state: IndexState?) {
        self.collection = collection
        self.field = field
        self.state = state
    }

    /// Returns the state of an index in a snapshot. If the store keeps its records in memory, first tries to create a
    /// missing index.
    static func of(
        _ index: IndexDefinition, of collection: String, in transaction: borrowing ReadTransaction
    ) throws -> CachedState {
        guard let cache = transaction.backend.cache else {
            try transaction.backend.createIndexInMemory(index, of: collection)
            let state = try IndexState.stored(index.name, of: collection, in: transaction)
            return CachedState(collection, index.field, state)
        }
        let memory = IndexMemory.of(cache)
        if let known = memory.state(of: index.field, of: collection) { return known }
        let state = try IndexState.stored(index.name, of: collection, in: transaction)
        let cached = CachedState(collection, index.field, state)
        memory.remember(cached)
        return cached
    }
}
