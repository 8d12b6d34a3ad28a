import DataStoreCore
import DataStoreMemory

/// Takes what a reader of either format finds in the dictionary that is ours.
struct StoredEntries {
    /// The key of the dictionary that is ours.
    static let rootKey = "UserProfile"
    /// The key of the version in it. No collection has it: a name with a `$` is encoded.
    static let formatKey = "$format"
    /// The version of the format that this program writes, and the highest it reads.
    static let formatVersion: Int64 = 1

    /// Whether what is damaged is left out and told of, rather than an error.
    let isTolerant: Bool

    /// What was left out.
    private(set) var losses: [PlistLoss] = []

    private var entries: [Entry] = []
    private var hasRoot = false
    private var version: Int64?

    init(isTolerant: Bool) { self.isTolerant = isTolerant }

    // MARK: Taking

    /// Comes to the dictionary that is ours.
    mutating func enter(at offset: Int) throws(ParseFailure) {
        if hasRoot {
            try lose(.file, ParseFailure(reason: "the entry \(Self.rootKey) is there twice", offset: offset))
        }
        hasRoot = true
    }

    mutating func take(version: Int64) { self.version = version }

    mutating func take(_ record: Record, collection: String, idKey: String, at offset: Int) throws(ParseFailure) {
        let place = "\(collection)/\(idKey)".escapingControlCharacters
        guard let id = PlistName.decoded(idKey) else {
            return try lose(.record(place), ParseFailure(reason: "its key is no id", offset: offset))
        }
        do throws(DataStoreError) {
            let key = try Key(collection: collection, id: id)
            // What no store takes, no store gives.
            try record.validate()
            entries.append(Entry(key: key, record: record))
        } catch {
            try lose(.record(place), ParseFailure(reason: error.reason, offset: offset))
        }
    }

    /// Leaves something out, or throws.
    mutating func lose(
        _ part: PlistLoss.Part, _ failure: ParseFailure, hidingMore: Bool = false
    ) throws(ParseFailure) {
        let loss = PlistLoss(part: part, failure: failure, hidesMore: hidingMore)
        guard isTolerant, failure.kind == .damaged else { throw loss.asFailure }
        losses.append(loss)
    }

    /// Whether all that there was is known, be it damaged or not.
    var isComplete: Bool { !losses.contains(where: \.hidesMore) }

    // MARK: Giving

    /// Refuses the version of a newer program.
    func checkIsKnown(offset: Int) throws(ParseFailure) {
        guard let version, version > Self.formatVersion else { return }
        throw ParseFailure(
            kind: .formatTooNew,
            reason: "its format is version \(version), this program knows up to \(Self.formatVersion); "
                + "use a newer program",
            offset: offset)
    }

    /// The records, when all are there.
    mutating func records(offset: Int) throws(ParseFailure) -> RecordTree {
        try checkIsKnown(offset: offset)
        if hasRoot, version ?? 0 < 1 {
            try lose(
                .file,
                ParseFailure(
                    reason: "\(Self.rootKey).\(Self.formatKey), the version of its format, is missing or damaged",
                    offset: offset))
        }
        var ordered = entries
        if zip(entries, entries.dropFirst()).contains(where: { $1.key < $0.key }) {
            // Of two records of one key the last counts, as it does to other programs: the order among them is kept.
            ordered = entries.enumerated()
                .sorted { $0.element.key == $1.element.key ? $0.offset < $1.offset : $0.element.key < $1.element.key }
                .map(\.element)
        }
        var unique: [Entry] = []
        unique.reserveCapacity(ordered.count)
        for entry in ordered {
            if unique.last?.key == entry.key {
                try lose(.record("\(entry.key)"), ParseFailure(reason: "it is there twice", offset: offset))
                unique.removeLast()
            }
            unique.append(entry)
        }
        return RecordTree(ordered: unique)
    }
}
