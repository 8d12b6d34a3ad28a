/// The part of a ``DataStore`` that an observer observes: a single record, or a range of records of a collection.
///
/// ```swift
/// let scope = ChangeScope.collection("trips")     // or .key(key), or .ids(.prefix("2026-"), collection: "trips")
/// let observation = try await store.observe(scope) { _ in redraw() }
/// ```
public enum ChangeScope: Hashable, Sendable {
    /// The record of one key, which need not exist yet.
    case key(Key)
    /// The records of a collection whose ids are in a range, including records that are added later.
    case ids(IDRange, collection: String)

    /// Returns the scope of all records of a collection.
    public static func collection(_ name: String) -> ChangeScope { .ids(.all, collection: name) }

    /// Returns the scope of all records that a scan can visit, regardless of its limit.
    package static func scan(_ scan: Scan) -> ChangeScope { .ids(scan.ids, collection: scan.collection) }
}

/// The keys whose records a commit has put or removed. A store of your own passes them to its observers.
///
/// ```swift
/// var changes = ChangedKeys()
/// changes.insert(key)
/// observers.wake(changes)
/// ```
///
/// The memory of the set is limited. If a commit changes more than 256 keys, the set contains only the names of their
/// collections. If there are more than 256 such collections, the set only states that any record may have changed.
public struct ChangedKeys: Sendable, HidesRecords {
    /// The maximum number of elements in each of ``keys`` and ``collections``.
    static let bound = 256

    /// The changed keys whose collections are not in ``collections``. The set is empty if ``collections`` is `nil`.
    private(set) var keys: Set<Key> = []

    /// The collections in which any record may have changed, or `nil` if any record of the store may have changed.
    private(set) var collections: Set<String>? = []

    /// Creates an empty set of changes.
    public init() {}

    /// The changes of a commit that may have changed any record.
    public static let everything = ChangedKeys(collections: nil)

    private init(collections: Set<String>?) { self.collections = collections }

    /// Whether any record of the store may have changed.
    var isEverything: Bool { collections == nil }

    /// Returns the changed keys of a collection, or `nil` if any record of the collection may have changed.
    package func keys(in collection: String) -> [Key]? {
        guard let collections, !collections.contains(collection) else { return nil }
        return keys.filter { $0.collection == collection }
    }

    /// Whether no record has changed.
    package var isEmpty: Bool { keys.isEmpty && collections?.isEmpty == true }

    /// Adds a changed key. Keys of index entries and index states are ignored, because observers cannot observe them.
    public mutating func insert(_ key: Key) {
        guard !key.isOfIndex else { return }
        guard let known = collections, known.isEmpty || !known.contains(key.collection) else { return }
        keys.insert(key)
        limit()
    }

    /// Adds the changed keys of another set.
    package mutating func formUnion(_ other: ChangedKeys) {
        guard let known = collections, let more = other.collections else {
            self = .everything
            return
        }
        if isEmpty { return self = other }
        collections = known.union(more)
        for key in keys where more.contains(key.collection) { keys.remove(key) }
        for key in other.keys { insert(key) }
        limit()
    }

    /// Limits the memory of the set. If there are more than ``bound`` keys or collections, replaces the keys with their
    /// collections. If there are then more than ``bound`` collections, sets ``collections`` to `nil`.
    private mutating func limit() {
        guard let known = collections, keys.count > Self.bound || known.count > Self.bound else { return }
        let all = known.union(keys.map(\.collection))
        (keys, collections) = ([], all.count > Self.bound ? nil : all)
    }
}
