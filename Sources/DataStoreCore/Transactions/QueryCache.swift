/// A cache that the queries of one snapshot share. It contains, for example, the states of indexes.
///
/// A store that reuses a read transaction keeps the cache, and empties it when the transaction moves to another
/// snapshot. Only the module `DataStoreQueries` knows the type of the cache.
@usableFromInline
package protocol QueryCache: AnyObject {
    /// Removes all cached content.
    func removeAll()
}
