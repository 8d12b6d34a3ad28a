/// A cache that the reads of one snapshot share. It contains the states of indexes and the rules of the store.
///
/// ```swift
/// let cache: QueryCache? = QueryCache()      // in a backend of one snapshot
/// ```
///
/// A backend creates one cache, and removes all of its content when it continues with another snapshot.
public final class QueryCache {
    /// The state of an index in the snapshot. It is a class, so a search copies a reference instead of three strings.
    private final class Node {
        let collection: String
        let name: String
        /// The state, or `nil` if the index does not exist.
        let state: IndexState?
        /// The node that was added before this one, or `nil` if this is the first one.
        let next: Node?

        init(_ collection: String, _ name: String, _ state: IndexState?, next: Node?) {
            self.collection = collection
            self.name = name
            self.state = state
            self.next = next
        }
    }

    /// The maximum number of cached states. A query searches them one by one.
    private static let capacity = 32

    // A list of objects, because a search of an array checks for overlapping accesses at run time.
    private var first: Node?
    private var count = 0

    // The last lookup and its entries. Comparing two references is faster than comparing names.
    private var lookup: AnyObject?
    private var lookupEntries: String?

    /// An array for the index text of a lookup.
    private var text: [UInt8] = []

    // Private, because the runtime would check each access of another module for overlaps.
    private var storedRules: AnyObject?

    /// The rules of the store, whose type only `DataStoreQueries` knows.
    package var rules: AnyObject? { storedRules }

    /// A function that a query calls with its collection if it found the state of an index here.
    package var didUseIndex: ((_ collection: String) -> Void)?

    /// Creates an empty cache.
    public init() {}

    /// Removes all cached content.
    public func removeAll() {
        removeStates()
        storedRules = nil
    }

    private func removeStates() { (first, count, lookup) = (nil, 0, nil) }

    /// Caches the rules of the store.
    package func remember(rules: AnyObject) { storedRules = rules }

    // MARK: States of indexes

    /// Returns the cached state of an index: `.some(nil)` if the index does not exist, and `nil` if its state is not
    /// cached.
    package func state(of index: String, in collection: String) -> IndexState?? {
        var candidate = first
        while let node = candidate {
            if node.name.hasSameBytes(as: index), node.collection.hasSameBytes(as: collection) {
                didUseIndex?(node.collection)
                return .some(node.state)
            }
            candidate = node.next
        }
        return nil
    }

    /// Caches the state of an index, which is `nil` if the index does not exist.
    package func remember(_ state: IndexState?, of index: String, in collection: String) {
        if count == Self.capacity { removeStates() }
        first = Node(collection, index, state, next: first)
        count += 1
    }

    // MARK: Lookups

    /// Returns the cached collection of entries that a lookup reads: `.some(nil)` if the lookup cannot use its index,
    /// and `nil` if another lookup was the last one.
    package func entries(of lookup: AnyObject) -> String?? { self.lookup === lookup ? .some(lookupEntries) : nil }

    /// Caches the collection of entries that a lookup reads, and forgets the lookup before.
    package func remember(entries: String?, of lookup: AnyObject) { (self.lookup, lookupEntries) = (lookup, entries) }

    /// Returns an empty array for an index text. Pass it to ``keep(text:)`` afterwards, so that the next lookup reuses
    /// its memory.
    package func takeText() -> [UInt8] {
        // The array is moved out and back to avoid a copy.
        var text = exchange(&text, with: [])
        text.removeAll(keepingCapacity: true)
        return text
    }

    package func keep(text: consuming [UInt8]) {
        // A longer array would occupy memory until the store is closed.
        if text.count <= 512 { self.text = text }
    }
}
