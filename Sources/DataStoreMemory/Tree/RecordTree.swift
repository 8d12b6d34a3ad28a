package import DataStoreCore

/// An ordered map of keys to records that shares what it has in common with its older versions.
///
/// A copy is a snapshot and costs nothing; a change copies the path from the root to the changed place and leaves
/// every snapshot as it is. So a store that keeps its records in memory gets snapshots, rollback (drop the new root)
/// and ordered scans from one structure. It is a weight-balanced tree (Adams 1992; parameters of Hirai and Yamamoto,
/// "Balancing weight-balanced trees", 2011).
package struct RecordTree: Sendable {
    private var root: Node?

    package init() {}

    /// Makes a tree of entries that are in the order of their keys, each key once.
    package init(ordered entries: [Entry]) { root = Node.tree(of: entries[...]) }

    /// Whether it is a copy that nothing was done with.
    package func isSame(as other: RecordTree) -> Bool { root === other.root }

    /// How many records there are.
    package var count: Int { root.count }

    /// The record of a key.
    package func record(for key: Key) -> Record? { root?.record(for: SearchKey(key)) }

    /// Puts a record under a key, in place of the one that was there.
    package mutating func put(_ record: Record, for key: Key) {
        root = Node.putting(record, for: SearchKey(key), in: root)
    }

    /// Removes the record of a key and says whether there was one.
    package mutating func remove(_ key: Key) -> Bool {
        guard record(for: key) != nil else { return false }
        root = root.flatMap { Node.removing(SearchKey(key), from: $0) }
        return true
    }

    /// Shows every record in the order of the keys.
    package func forEach(_ body: (Key, Record) throws -> Void) rethrows {
        try Node.forEach(in: root, body)
    }

    /// The keys whose records are others, or there or not there, than in another tree.
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

    /// The first collection, or the first after a name, that has a record.
    package func collection(after name: String?) -> String? { Node.collection(after: name, in: root) }

    /// Shows the records of a scan in its order, until there are no more or `visit` says to stop.
    package func scan(_ scan: Scan, _ visit: (Key, Record) -> Scan.Step) {
        var remaining = scan.limit ?? Int.max
        guard remaining > 0 else { return }
        _ = Node.scan(scan, in: root) { key, record in
            remaining -= 1
            return visit(key, record) == .next && remaining > 0 ? .next : .stop
        }
    }

    /// Passes every record that a program has put to `body`, in the order of the keys, without index entries.
    package func forEachRecord(_ body: (Key, Record) throws -> Void) rethrows {
        try forEach { key, record in
            if !key.isOfIndex { try body(key, record) }
        }
    }
}
