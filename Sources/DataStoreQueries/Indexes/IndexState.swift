import DataStoreCore

extension IndexState {
    /// The name of the collection that contains the entries if a lookup can read all matching records from the entries
    /// alone, otherwise `nil`.
    var lookupEntries: String? { isReady && isCovering && !hasOverflowEntries ? entries : nil }

    /// Returns whether the index satisfies a definition. It must be unique if the definition is unique, and covering if
    /// the definition is covering.
    func satisfies(_ index: IndexDefinition) -> Bool {
        (isUnique || !index.isUnique) && (isCovering || !index.isCovering)
    }

    /// Makes the index unique if the definition is unique, and covering if the definition is covering. If this changes
    /// the index, the index becomes invalid and must be rebuilt.
    mutating func add(_ index: IndexDefinition) {
        guard !satisfies(index) else { return }
        if index.isUnique, uniqueness == .no { uniqueness = .pending }
        isCovering = isCovering || index.isCovering
        progress = .invalid
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

    /// Returns the stored state of the index with a name, or `nil` if the index does not exist.
    static func stored(
        _ name: String, of collection: String, in transaction: borrowing ReadTransaction
    ) throws -> IndexState? {
        let value = try transaction.withView(of: catalogueKey(of: collection)) { view in try view.value(of: name) }
        return (value ?? nil).flatMap(IndexState.init)
    }
}
