/// A cache that the queries of one snapshot share. It contains, for example, the states of indexes.
///
/// A store that reuses a read transaction keeps one cache for it, which the backend returns as
/// ``NativeReadBackend/cache``. The store calls ``invalidate()`` when the transaction moves to another snapshot.
@usableFromInline
package final class SnapshotCache {
    // The property is private, so that the compiler can prove that accesses do not overlap. Otherwise each query checks
    // for overlaps at run time.
    private var stored: (any SnapshotCacheContent)?

    /// The cached object, or `nil` if nothing has been cached yet. Only the module `DataStoreQueries` knows its type.
    package var content: (any SnapshotCacheContent)? {
        get { stored }
        set { stored = newValue }
    }

    /// Creates an empty cache.
    package init() {}

    /// Removes all content that was cached for the previous snapshot.
    package func invalidate() { stored?.removeAll() }
}

/// An object that a ``SnapshotCache`` contains.
package protocol SnapshotCacheContent: AnyObject {
    /// Removes all cached content.
    func removeAll()
}
