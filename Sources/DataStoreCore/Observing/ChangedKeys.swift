/// Which records a commit has put or removed. However many they were, it takes little room: past a bound it only knows the
/// collections, and past as many of those only that it was all of them.
public struct ChangedKeys: Sendable {
    /// How many keys, and how many collections, are told apart.
    static let bound = 256

    /// The keys; those of ``collections`` are left out.
    private(set) var keys: Set<Key> = []

    /// The collections of which any record may have changed; nil: all.
    private(set) var collections: Set<String>? = []

    /// No record at all.
    public init() {}

    /// Any record.
    public static let everything: ChangedKeys = {
        var changes = ChangedKeys()
        changes.collections = nil
        return changes
    }()

    /// Whether nothing has changed.
    public var isEmpty: Bool { keys.isEmpty && collections?.isEmpty == true }

    /// Adds a record; not an entry of an index: nobody observes these, and they are several for each record.
    public mutating func insert(_ key: Key) {
        guard !key.isOfIndex else { return }
        guard let known = collections, known.isEmpty || !known.contains(key.collection) else { return }
        keys.insert(key)
        limit()
    }

    /// Adds the records of other changes.
    public mutating func formUnion(_ other: ChangedKeys) {
        guard let known = collections, let more = other.collections else {
            self = .everything
            return
        }
        collections = known.union(more)
        for key in keys where more.contains(key.collection) { keys.remove(key) }
        for key in other.keys { insert(key) }
        limit()
    }

    /// Takes no more room than there is.
    private mutating func limit() {
        guard let known = collections, keys.count > Self.bound || known.count > Self.bound else { return }
        let all = known.union(keys.map(\.collection))
        (keys, collections) = ([], all.count > Self.bound ? nil : all)
    }
}
