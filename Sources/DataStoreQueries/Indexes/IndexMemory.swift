import DataStoreCore

/// What a backend has found out about the indexes of its snapshot, for the next query of the same one.
///
/// It is used by who uses the backend.
final class IndexMemory: SnapshotCacheContent {
    /// More are not remembered: they are looked for one after the other.
    private static let most = 32

    private var states: [(collection: String, name: String, state: IndexState?)] = []

    /// Returns the memory in a cache, which is created if the cache has none.
    static func of(_ cache: SnapshotCache) -> IndexMemory {
        if let memory = cache.content as? IndexMemory { return memory }
        let memory = IndexMemory()
        cache.content = memory
        return memory
    }

    func removeAll() { states.removeAll(keepingCapacity: true) }

    /// The state of an index, found out where it is not remembered.
    func state(
        of name: String, of collection: String, _ find: () throws -> IndexState?
    ) throws -> IndexState? {
        for known in states where known.name.hasSameBytes(as: name) && known.collection.hasSameBytes(as: collection) {
            return known.state
        }
        let state = try find()
        if states.count == Self.most { removeAll() }
        states.append((collection, name, state))
        return state
    }
}
