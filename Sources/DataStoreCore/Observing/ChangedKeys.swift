/// The records that a commit has put or removed. Above a limit it holds only their collections, and above a limit of
/// collections it stands for any record.
public struct ChangedKeys: Sendable {
    /// The maximum number of keys, and of collections.
    static let bound = 256

    /// The keys that are not in one of ``collections``.
    private(set) var keys: Set<Key> = []

    /// The collections in which any record may have changed; `nil` stands for all collections.
    private(set) var collections: Set<String>? = []

    /// Creates an empty set of changes.
    public init() {}

    /// The changes that may affect any record.
    public static let everything: ChangedKeys = {
        var changes = ChangedKeys()
        changes.collections = nil
        return changes
    }()

    /// Whether nothing has changed.
    package var isEmpty: Bool { keys.isEmpty && collections?.isEmpty == true }

    /// Adds a record. Index entries are ignored: they cannot be observed, and each record has several.
    public mutating func insert(_ key: Key) {
        guard !key.isOfIndex else { return }
        guard let known = collections, known.isEmpty || !known.contains(key.collection) else { return }
        keys.insert(key)
        limit()
    }

    /// Adds the records of other changes.
    package mutating func formUnion(_ other: ChangedKeys) {
        guard let known = collections, let more = other.collections else {
            self = .everything
            return
        }
        collections = known.union(more)
        for key in keys where more.contains(key.collection) { keys.remove(key) }
        for key in other.keys { insert(key) }
        limit()
    }

    /// Replaces keys by collections, and collections by all records, if there are more than ``bound``.
    private mutating func limit() {
        guard let known = collections, keys.count > Self.bound || known.count > Self.bound else { return }
        let all = known.union(keys.map(\.collection))
        (keys, collections) = ([], all.count > Self.bound ? nil : all)
    }
}
