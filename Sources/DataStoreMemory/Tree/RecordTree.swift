package import DataStoreCore

/// A persistent ordered map from keys to records, whose versions share unchanged nodes.
///
/// A copy is a snapshot and costs nothing. A change copies the path from the root to the changed node and leaves every
/// snapshot unchanged. A store in memory thus gets snapshots, rollback (by discarding the new root) and ordered scans
/// from one structure. It is a weight-balanced tree (Adams 1992; parameters of Hirai and Yamamoto, "Balancing
/// weight-balanced trees", 2011).
package struct RecordTree: Sendable {
    private var root: Node?

    package init() {}

    /// Creates a tree of entries that are in the order of their keys, each key once.
    package init(ordered entries: [Entry]) { root = Node.tree(of: entries[...]) }

    /// Returns whether another tree is an unmodified copy of this one.
    package func isSame(as other: RecordTree) -> Bool { root === other.root }

    /// The number of records, including index entries.
    package var count: Int { root.count }

    /// Returns the record of a key, or `nil`.
    package func record(for key: Key) -> Record? { root?.record(for: SearchKey(key)) }

    /// Puts a record under a key and replaces an existing one.
    package mutating func put(_ record: Record, for key: Key) {
        root = Node.putting(record, for: SearchKey(key), in: root)
    }

    /// Removes the record of a key, and returns whether it existed.
    package mutating func remove(_ key: Key) -> Bool {
        guard record(for: key) != nil else { return false }
        root = root.flatMap { Node.removing(SearchKey(key), from: $0) }
        return true
    }

    /// Passes every record, including index entries, to `body` in the order of the keys.
    package func forEach(_ body: (Key, Record) throws -> Void) rethrows {
        try Node.forEach(in: root, body)
    }

    /// Returns the keys whose records were added, removed or changed since an older version.
    package func changedKeys(since old: RecordTree) -> ChangedKeys {
        var before: [Entry] = []
        old.forEach { before.append(Entry(key: $0, record: $1)) }
        var (changes, rest) = (ChangedKeys(), before[...])
        forEach { key, record in
            while let next = rest.first, next.key < key {
                changes.insert(next.key)
                rest.removeFirst()
            }
            if rest.first?.key == key {
                if rest.removeFirst().record != record { changes.insert(key) }
            } else {
                changes.insert(key)
            }
        }
        for entry in rest { changes.insert(entry.key) }
        return changes
    }

    /// Returns the first collection after a name, or the first of all for `nil`. Returns `nil` if no collection
    /// follows.
    package func collection(after name: String?) -> String? { Node.collection(after: name, in: root) }

    /// Passes the records of a scan to `visit` in its order, until no record remains or `visit` stops the scan.
    package func scan(_ scan: Scan, _ visit: (Key, Record) -> Scan.Step) {
        var remaining = scan.limit ?? Int.max
        guard remaining > 0 else { return }
        _ = Node.scan(scan, in: root) { key, record in
            remaining -= 1
            return visit(key, record) == .next && remaining > 0 ? .next : .stop
        }
    }

    /// Passes every record that is not an index entry to `body`, in the order of the keys.
    package func forEachRecord(_ body: (Key, Record) throws -> Void) rethrows {
        try forEach { key, record in
            if !key.isOfIndex { try body(key, record) }
        }
    }
}
