/// A place where queries keep what they have learned about a snapshot, for the next query of the same snapshot.
///
/// A store that reuses a read transaction owns one, passes it to each ``ReadTransaction``, and calls ``invalidate()`` when the
/// transaction moves to another snapshot.
package final class SnapshotCache {
    /// The cached object; its type is known only to the layer above.
    package var content: (any SnapshotCacheContent)?

    /// Creates an empty cache.
    package init() {}

    /// Forgets everything about the previous snapshot.
    package func invalidate() { content?.removeAll() }
}

/// What a ``SnapshotCache`` holds.
package protocol SnapshotCacheContent: AnyObject {
    /// Removes everything.
    func removeAll()
}
