import DataStoreCore

/// A cache of the index states of one snapshot. Later queries of the same snapshot use it.
final class IndexMemory {
    /// The state of an index in the snapshot. It is a class, so a search copies a reference instead of three strings.
    private final class Node {
        let collection: String
        let field: QueryField
        /// The state, or `nil` if the index does not exist.
        let state: IndexState?
        /// The node that was added before this one, or `nil` if this is the first one.
        let next: Node?

        init(_ collection: String, _ field: QueryField, _ state: IndexState?, next: Node?) {
            self.collection = collection
            self.field = field
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
    private var lookup: IndexLookup?
    private var lookupEntries: String?

    /// An array for the index text of a lookup.
    private var text: [UInt8] = []

    /// Returns the index memory of a snapshot. If the snapshot has none, creates one.
    static func of(_ backend: any ReadBackend) -> IndexMemory {
        guard let cache = backend.cache else { return IndexMemory() }
        return IndexMemory.of(cache)
    }

    private static func of(_ cache: QueryCache) -> IndexMemory {
        if let memory = cache.content as? IndexMemory { return memory }
        let memory = IndexMemory()
        cache.content = memory
        return memory
    }

    /// Returns the state of an index in a snapshot, or `nil` if the index does not exist. If the store keeps its
    /// records in memory, first tries to complete the index.
    static func state(
        of index: IndexDefinition, of collection: String, in transaction: borrowing ReadTransaction
    ) throws -> IndexState? {
        let backend = transaction.backend
        guard let cache = backend.cache else {
            let state = try IndexState.stored(index.name, of: collection, in: transaction)
            if state?.isReady == true || !backend.isInMemory { return state }
            try backend.createIndexInMemory(index, of: collection)
            return try IndexState.stored(index.name, of: collection, in: transaction)
        }
        let memory = IndexMemory.of(cache)
        var candidate = memory.first
        while let node = candidate {
            if node.field == index.field, node.collection.hasSameBytes(as: collection) {
                cache.didUseIndex?(node.collection)
                return node.state
            }
            candidate = node.next
        }
        let state = try IndexState.stored(index.name, of: collection, in: transaction)
        if memory.count == capacity { (memory.first, memory.count, memory.lookup) = (nil, 0, nil) }
        memory.first = Node(collection, index.field, state, next: memory.first)
        memory.count += 1
        return state
    }

    // MARK: Lookups

    /// Passes a reused array with the index text of a value to a closure, and returns the result of the closure.
    func withIndexText(of value: Value, _ body: ([UInt8]) throws -> Bool) rethrows -> Bool {
        // The array is moved out and back to avoid a copy.
        var text = text
        self.text = []
        text.removeAll(keepingCapacity: true)
        value.appendIndexText(to: &text)
        let result = try body(text)
        // A longer array would occupy memory until the store is closed.
        if text.count <= 512 { self.text = text }
        return result
    }

    /// Returns the name of the collection of entries that a lookup reads, or `nil` if its index cannot be used. `text`
    /// is the index text of the value to find.
    func entries(
        of lookup: IndexLookup, _ text: [UInt8], in transaction: borrowing ReadTransaction
    ) throws -> String? {
        if self.lookup === lookup { return lookupEntries }
        // A server answers the probable scan together with the query for the state of the index.
        let last = lookup.lastEntries
        if let last { transaction.backend.prefetch(Scan(stored: last, ids: IDRange(prefix: text))) }
        let state = try IndexMemory.state(of: lookup.index, of: lookup.collection, in: transaction)
        (self.lookup, lookupEntries) = (lookup, state?.lookupEntries)
        if lookupEntries != last { lookup.lastEntries = lookupEntries }
        return lookupEntries
    }
}
