import DataStoreCore

/// A cache of the index states of one snapshot. Later queries of the same snapshot use it.
final class IndexMemory {
    /// The maximum number of cached states. A query searches them one by one.
    private static let capacity = 32

    // A list of objects, because a search of an array checks for overlapping accesses at run time.
    private var first: CachedState?
    private var count = 0

    /// Returns the index memory of a snapshot. If the snapshot has none, creates one.
    static func of(_ backend: any ReadBackend) -> IndexMemory {
        guard let cache = backend.cache else { return IndexMemory() }
        if let memory = cache.content as? IndexMemory { return memory }
        let memory = IndexMemory()
        cache.content = memory
        return memory
    }

    // The last lookup and its entries. Comparing two references is faster than comparing names.
    private var lookup: IndexLookup?
    private var lookupEntries: String?

    /// An array for the index text of a lookup.
    private var text: [UInt8] = []

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
        let state = try CachedState.of(lookup.index, of: lookup.collection, in: transaction).state
        (self.lookup, lookupEntries) = (lookup, state?.lookupEntries)
        if lookupEntries != last { lookup.lastEntries = lookupEntries }
        return lookupEntries
    }

    /// Returns the cached state of the index of a field, or `nil` if it is not cached.
    func state(of field: QueryField, of collection: String) -> CachedState? {
        var candidate = first
        while let state = candidate {
            if state.field == field, state.collection.hasSameBytes(as: collection) { return state }
            candidate = state.next
        }
        return nil
    }

    /// Caches the state of an index. If the field has no index, `state` is `nil`.
    func remember(_ state: IndexState?, of field: QueryField, of collection: String) -> CachedState {
        if count == Self.capacity { (first, count, lookup) = (nil, 0, nil) }
        let cached = CachedState(collection, field, state, next: first)
        first = cached
        count += 1
        return cached
    }
}

/// The state of an index in a snapshot. It is a class, so a search copies a reference instead of three strings.
final class CachedState {
    let collection: String
    let field: QueryField
    /// The state, or `nil` if the index does not exist.
    let state: IndexState?
    /// The state that was cached before this one, or `nil` if this is the first one.
    fileprivate let next: CachedState?

    fileprivate init(_ collection: String, _ field: QueryField, _ state: IndexState?, next: CachedState?) {
        self.collection = collection
        self.field = field
        self.state = state
        self.next = next
    }

    /// Returns the state of an index in a snapshot. If the store keeps its records in memory, first tries to create a
    /// missing index.
    static func of(
        _ index: IndexDefinition, of collection: String, in transaction: borrowing ReadTransaction
    ) throws -> CachedState {
        guard transaction.backend.cache != nil else {
            try transaction.backend.createIndexInMemory(index, of: collection)
            let state = try IndexState.stored(index.name, of: collection, in: transaction)
            return CachedState(collection, index.field, state, next: nil)
        }
        let memory = IndexMemory.of(transaction.backend)
        if let known = memory.state(of: index.field, of: collection) { return known }
        let state = try IndexState.stored(index.name, of: collection, in: transaction)
        return memory.remember(state, of: index.field, of: collection)
    }
}
