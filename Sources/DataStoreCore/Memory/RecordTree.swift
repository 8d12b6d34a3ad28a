/// An ordered map from keys to records, with value semantics. A store in memory uses it for snapshots and rollback.
///
/// ```swift
/// let snapshot = tree                  // in constant time
/// tree.put(record, for: key)           // snapshot stays as it was
/// ```
///
/// A change copies only the nodes on the path to the changed node. The map is a weight-balanced tree (Adams 1992;
/// parameters of Hirai and Yamamoto, "Balancing weight-balanced trees", 2011).
public struct RecordTree: Sendable {
    private var root: Node?

    package init() {}

    /// Creates a tree from entries in ascending order of their keys. Each key occurs once.
    package init(ordered entries: [Entry]) { root = Node.tree(of: entries[...]) }

    /// Returns whether two trees are the same version, in constant time. If they are not, their contents may still be
    /// equal.
    package func isSame(as other: RecordTree) -> Bool { root === other.root }

    /// The number of records, including index entries.
    package var count: Int { root.count }

    /// Returns the record of a key, or `nil` if the key does not exist.
    package func record(for key: Key) -> Record? { root?.record(for: key, SearchKey.Prefixes(of: key)) }

    /// Stores a record under a key and replaces any existing record.
    package mutating func put(_ record: Record, for key: Key) {
        root = Node.putting(record, for: SearchKey(key), in: root)
    }

    /// Removes the record of a key and returns whether the record existed.
    package mutating func remove(_ key: Key) -> Bool {
        guard record(for: key) != nil else { return false }
        root = root.flatMap { Node.removing(SearchKey(key), from: $0) }
        return true
    }

    /// Passes every record, including index entries, to `body` in the order of the keys.
    package func forEach<Failure: Error>(_ body: (Key, Record) throws(Failure) -> Void) throws(Failure) {
        try Node.forEach(in: root, body)
    }

    /// Returns the keys whose records were added, removed or changed since an older version of the tree.
    package func changedKeys(since old: RecordTree) -> ChangedKeys {
        var changes = ChangedKeys()
        forEach { key, record in if old.record(for: key) != record { changes.insert(key) } }
        old.forEach { key, _ in if record(for: key) == nil { changes.insert(key) } }
        return changes
    }

    /// Returns the first collection that follows `name` in byte order, or the first of all collections if `name` is
    /// `nil`. Returns `nil` if no collection follows.
    package func collection(after name: String?) -> String? { Node.collection(after: name, in: root) }

    /// Returns the number of records of a collection. The nodes of the tree know the sizes of their subtrees.
    package func count(of collection: String) -> Int {
        Node.count(in: root) { $0.byteOrder(to: collection) <= 0 }
            - Node.count(in: root) { $0.byteOrder(to: collection) < 0 }
    }

    /// Passes the records of a scan to `visit`, in the order of the scan, until no record is left or `visit` returns
    /// `.stop`.
    package func scan(_ scan: Scan, _ visit: (Key, Record) -> Scan.Step) {
        var remaining = scan.limit ?? Int.max
        guard remaining > 0 else { return }
        _ = Node.scan(scan, in: root) { key, record in
            remaining -= 1
            return visit(key, record) == .next && remaining > 0 ? .next : .stop
        }
    }
}
