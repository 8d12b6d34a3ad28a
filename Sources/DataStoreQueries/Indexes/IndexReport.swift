import DataStoreCore

/// The result of comparing an index with the records of its collection.
public struct IndexReport: Hashable, Sendable {
    /// The state of an index.
    public enum State: Sendable {
        /// Complete: queries use it.
        case ready
        /// Being built.
        case incomplete
        /// To be rebuilt, because records were changed without it.
        case invalid
        /// Declared by a newer library, in a form that this one does not know.
        case unknown
    }

    /// The name of the collection.
    public let collection: String

    /// The name of the index.
    public let name: String

    /// The state.
    public let state: State

    /// Whether no two records may have the same value.
    public let isUnique: Bool

    /// The number of entries.
    public let entryCount: Int

    /// The number of entries that are missing, or that contain an outdated record.
    public let missingCount: Int

    /// The number of entries that no record has; one with an outdated record counts here, too.
    public let surplusCount: Int

    /// Whether the entries match the records as far as the index is built. No query uses an invalid index, so it counts as right.
    public var isRight: Bool { missingCount == 0 && surplusCount == 0 }

    /// Reports an index that this library does not know.
    init(unknown name: String, of collection: String) {
        self.name = name
        self.collection = collection
        (state, isUnique) = (.unknown, false)
        (entryCount, missingCount, surplusCount) = (0, 0, 0)
    }

    /// Compares an index with the records.
    init(_ item: IndexCatalogue.Item, of collection: String, in transaction: borrowing ReadTransaction) throws {
        let state = item.state
        name = item.field.name
        self.collection = collection
        isUnique = state.isUnique
        let count = try state.entryCount(in: transaction)
        entryCount = count
        self.state = State(state.progress)
        guard !state.isInvalid else {
            (missingCount, surplusCount) = (0, 0)
            return
        }
        var (expected, missing) = (0, 0)
        try transaction.forEachView(in: Scan(kept: collection)) { key, view in
            guard state.covers(key.id) else { return .stop }
            for entry in try IndexEntry.ids(of: view, id: key.id, by: item.field, in: state.entries) {
                expected += 1
                let isRight = try transaction.withView(of: IndexEntryKey(entry, in: state.entries).key) { held in
                    try !state.isCovering || held.record() == state.content(of: entry, view.record())
                }
                if isRight != true { missing += 1 }
            }
            return .next
        }
        missingCount = missing
        surplusCount = count - (expected - missing)
    }
}

extension IndexReport.State {
    init(_ progress: IndexState.Progress) {
        self =
            switch progress {
            case .ready: .ready
            case .through: .incomplete
            case .invalid: .invalid
            }
    }
}

extension IndexState {
    /// Returns the number of entries.
    func entryCount(in transaction: borrowing ReadTransaction) throws(DataStoreError) -> Int {
        var count = 0
        try transaction.forEachID(in: Scan(kept: entries)) { _ in count += 1 }
        return count
    }
}
