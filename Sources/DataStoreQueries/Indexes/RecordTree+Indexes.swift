import DataStoreCore
import DataStoreMemory

extension RecordTree {
    /// Makes an index of a collection, where it is not there.
    ///
    /// - Returns: whether it was made.
    mutating func addIndex(_ index: RecordIndex, of collection: String) throws(DataStoreError) -> Bool {
        let catalogue = try IndexCatalogue(of: collection, in: ReadTransaction(native: RecordTreeTransaction(self)))
        if catalogue[index.name]?.isReady(index) == true { return false }
        do throws(DataStoreError) {
            try add(index, of: collection, catalogue)
            return true
        } catch {
            // Then there is none to be used, and who asks for it to be made is told.
            guard error.code == .notUnique || error.code == .corrupted else { throw error }
            return false
        }
    }

    private mutating func add(
        _ index: RecordIndex, of collection: String, _ catalogue: IndexCatalogue
    ) throws(DataStoreError) {
        let backend = RecordTreeTransaction(self)
        var catalogue = catalogue
        if catalogue[index.name] == nil, !index.isUnique {
            // All at once: one after the other, each entry would make its path in the tree anew.
            var state = try IndexState.begun(index, in: backend)
            let entries = try entries(of: index, state, collection)
            state.progress = .ready
            state.hasUnordered = entries.contains { IndexEntry.isUnordered($0.key.id) }
            catalogue[index.name] = state
            try catalogue.put(in: backend)
            self = backend.tree.adding(entries)
        } else {
            let builder = IndexBuilder(index, of: collection, in: backend)
            while try builder.step(&catalogue, count: .max) != .done {}
            try catalogue.put(in: backend)
            self = backend.tree
        }
    }

    /// The entries of an index, in order.
    private func entries(
        of index: RecordIndex, _ state: IndexState, _ collection: String
    ) throws(DataStoreError) -> [Entry] {
        var entries: [Entry] = []
        var failure: DataStoreError?
        scan(Scan(kept: collection)) { key, record in
            do throws(DataStoreError) {
                for id in try IndexEntry.ids(
                    of: RecordView(record), id: key.id, by: index.field, in: state.entries)
                {
                    entries.append(Entry(key: Key(kept: id, in: state.entries), record: state.content(of: id, record)))
                }
                return .next
            } catch {
                failure = error
                return .stop
            }
        }
        if let failure { throw failure }
        return entries.sorted { $0.key < $1.key }
    }

    /// The tree with entries that are in order and none of which it has.
    private func adding(_ new: [Entry]) -> RecordTree {
        var all: [Entry] = []
        all.reserveCapacity(count + new.count)
        var rest = new[...]
        forEach { key, record in
            while let first = rest.first, first.key < key {
                all.append(first)
                rest.removeFirst()
            }
            all.append(Entry(key: key, record: record))
        }
        return RecordTree(ordered: all + rest)
    }
}

extension NativeReadBackend {
    /// Whether the store keeps its records in memory. Such a store creates an index when a query first asks for it.
    var isInMemory: Bool { self is RecordTreeTransaction }

    /// Creates an index that the snapshot does not have if the store keeps its records in memory.
    func createIndexInMemory(_ index: RecordIndex, of collection: String) throws(DataStoreError) {
        guard let transaction = self as? RecordTreeTransaction else { return }
        var tree = transaction.tree
        if try tree.addIndex(index, of: collection) { transaction.addIndexes(tree) }
    }
}
