/// A cache of facts about one snapshot, shared by the queries of that snapshot.
///
/// A store that reuses a read transaction owns one, passes it to each ``ReadTransaction``, and calls ``invalidate()``
/// when the transaction moves to another snapshot.
@usableFromInline
package final class SnapshotCache {
    // Private, so that the compiler can prove that accesses do not overlap. Otherwise each query checks that at run
    // time.
    private var stored: (any SnapshotCacheContent)?

    /// The cached object; its type is known only to the layer above.
    package var content: (any SnapshotCacheContent)? {
        get { stored }
        set { stored = newValue }
    }

    /// Creates an empty cache.
    package init() {}

    /// Removes everything about the previous snapshot.
    package func invalidate() { stored?.removeAll() }
}

/// The content of a ``SnapshotCache``.
package protocol SnapshotCacheContent: AnyObject {
    /// Removes everything.
    func removeAll()
}
