extension IndexState {
    /// The name of the collection that contains the entries if a lookup can read all matching records from the entries
    /// alone, otherwise `nil`.
    package var lookupEntries: String? { isReady && isCovering && !hasOverflowEntries ? entriesCollection : nil }

    /// Makes the index unique if the definition is unique, and covering if the definition is covering. The index
    /// becomes invalid and must be rebuilt.
    mutating func add(_ index: IndexDefinition) {
        if index.isUnique, uniqueness == .no { uniqueness = .pending }
        isCovering = isCovering || index.isCovering
        progress = .invalid
    }

    /// Parses the stored state of the index on a field. Returns `nil` if another version of the library wrote it.
    ///
    /// Only an index on a field with at most one value can be covering, because a change of a record replaces only the
    /// entries of such an index. In any other state, the trait is damaged or of another version, and is ignored.
    init?(_ value: Value, of field: QueryField) {
        self.init(value)
        if !field.isSingle { isCovering = false }
    }

    /// Creates the state of a new index, which has no entries yet. No index has used its number before.
    static func begun(_ index: IndexDefinition, in backend: any WriteBackend) throws(DataStoreError) -> IndexState {
        var catalogue = try ReadTransaction(backend).record(for: storeCatalogue) ?? Record()
        guard case .integer(let number) = catalogue["number"] ?? .integer(0), number < .max else {
            throw DataStoreError(.corrupted, "the index counter is damaged")
        }
        catalogue["number"] = .integer(number + 1)
        try backend.put(catalogue, for: storeCatalogue)
        return IndexState(
            number: number + 1, uniqueness: index.isUnique ? .pending : .no, isCovering: index.isCovering,
            progress: .through(""))
    }
}

extension ReadTransaction {
    /// Returns the state of an index, or `nil` if the index does not exist. Later calls in the same snapshot return the
    /// cached state. If the store keeps its records in memory, the function first tries to complete the index.
    package func state(of index: IndexDefinition, in collection: String) throws -> IndexState? {
        let cache = backend.cache
        if let known = cache?.state(of: index.name, in: collection) { return known }
        var state = try storedState(of: index, in: collection)
        if cache == nil, backend.isInMemory, state?.isReady != true {
            try backend.createIndexInMemory(index, of: collection)
            state = try storedState(of: index, in: collection)
        }
        cache?.remember(state, of: index.name, in: collection)
        return state
    }

    private func storedState(of index: IndexDefinition, in collection: String) throws -> IndexState? {
        let value = try withView(of: IndexState.catalogueKey(of: collection)) { view in try view.value(of: index.name) }
        return (value ?? nil).flatMap { IndexState($0, of: index.field) }
    }
}
