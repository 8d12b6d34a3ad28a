import DataStoreCore

/// What a look at an index and the records of its collection has found.
public struct IndexReport: Hashable, Sendable {
    /// How far an index goes.
    public enum State: Sendable {
        /// To all records: queries use it.
        case ready
        /// Not yet to all records: `buildIndexes(_:of:progress:)` makes the rest.
        case unfinished
        /// A write that did not know it, or a program that knows another version, has outdated it.
        case outdated
        /// There is none.
        case missing
    }

    /// The name of the index.
    public let name: String

    /// How far it goes.
    public let state: State

    /// How many entries it has.
    public let entryCount: Int

    /// How many entries are not there and should be, or hold another record than the one that they lead to.
    public let missingCount: Int

    /// How many entries are there and should not be; one that holds another record counts here, too.
    public let surplusCount: Int

    /// Whether its entries are those of the records, as far as it goes. One that is outdated has nothing to be right about:
    /// no query uses it.
    public var isRight: Bool { state == .missing || state == .outdated || missingCount == 0 && surplusCount == 0 }

    /// Compares an index with the records.
    init(
        _ index: RecordIndex, of collection: String, _ state: IndexState?, in transaction: borrowing ReadTransaction
    ) throws {
        name = index.name
        guard let state else {
            self.state = .missing
            (entryCount, missingCount, surplusCount) = (0, 0, 0)
            return
        }
        var count = 0
        try transaction.forEachID(in: Scan(kept: state.entries)) { _ in count += 1 }
        entryCount = count
        guard state.isOf(index), state.progress != .outdated else {
            self.state = .outdated
            (missingCount, surplusCount) = (0, 0)
            return
        }
        self.state = state.progress == .ready ? .ready : .unfinished
        var (expected, missing) = (0, 0)
        try transaction.forEachView(in: Scan(collection)) { key, view in
            guard state.covers(key.id) else { return .stop }
            for entry in try IndexEntry.ids(of: view, id: key.id, by: index.field, in: state.entries) {
                expected += 1
                let isRight = try transaction.withView(of: Key(kept: entry, in: state.entries)) { held in
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
