import DataStoreCore

/// Which indexes of a collection a store has.
struct IndexCatalogue {
    private let collection: String
    private var states: [(name: String, state: IndexState)] = []
    private var hasChanged = false

    /// Reads what the store says.
    init(of collection: String, in transaction: borrowing ReadTransaction) throws(DataStoreError) {
        self.collection = collection
        guard let record = try transaction.record(for: IndexState.key(of: collection)) else { return }
        for field in record { states.append((field.name, try IndexState(field.value, named: field.name))) }
    }

    var isEmpty: Bool { states.isEmpty }

    /// The state of an index.
    subscript(name: String) -> IndexState? {
        get { states.first { $0.name.hasSameBytes(as: name) }?.state }
        set {
            guard self[name] != newValue else { return }
            hasChanged = true
            states.removeAll { $0.name.hasSameBytes(as: name) }
            if let newValue { states.append((name, newValue)) }
        }
    }

    /// Marks indexes as outdated; all of them, where nothing else is said.
    mutating func outdateAll(where condition: (String, IndexState) -> Bool = { _, _ in true }) {
        for (name, state) in states where condition(name, state) { self[name]?.progress = .outdated }
    }

    /// The collections of the entries of those that are outdated.
    var outdatedEntries: [String] { states.filter { $0.state.progress == .outdated }.map(\.state.entries) }

    /// Says so in the store, where something has changed.
    mutating func put(in backend: any NativeWriteBackend) throws(DataStoreError) {
        guard hasChanged else { return }
        var record = Record()
        for (name, state) in states { record[name] = state.value }
        if record.isEmpty {
            _ = try backend.remove(IndexState.key(of: collection))
        } else {
            try backend.put(record, for: IndexState.key(of: collection))
        }
        hasChanged = false
    }
}
