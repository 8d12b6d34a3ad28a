/// What a store says of one of its indexes.
struct IndexState: Equatable {
    /// How far its entries go.
    enum Progress: Equatable {
        /// To all records.
        case ready
        /// To the records up to this id. It is being made: who makes it goes on from there.
        case through(String)
        /// A write that did not know it may have changed records.
        case outdated
    }

    /// The number that its entries are kept under.
    let number: Int64
    /// The collection that its entries are kept in: of its number, and made once because each write of a record asks for it.
    let entries: String
    /// The version of the ``RecordIndex``.
    var version: Int
    var isUnique: Bool
    /// Whether there may be entries that are not in order.
    var hasUnordered: Bool
    var progress: Progress

    init(number: Int64, version: Int, isUnique: Bool, hasUnordered: Bool = false, progress: Progress) {
        self.number = number
        entries = "\0x" + String(number, radix: 36)
        self.version = version
        self.isUnique = isUnique
        self.hasUnordered = hasUnordered
        self.progress = progress
    }

    /// Whether it is the one that a program knows.
    func isOf(_ index: RecordIndex) -> Bool { version == index.version }

    /// Whether it can be used as what a program knows.
    func isReady(_ index: RecordIndex) -> Bool {
        isOf(index) && progress == .ready && (isUnique || !index.isUnique)
    }

    /// Whether it has, or would have, an entry for each value of a record.
    func covers(_ id: String) -> Bool {
        switch progress {
        case .ready: true
        case .through(let last): id.ordering(byBytes: last) != .after
        case .outdated: false
        }
    }
}

extension IndexState {
    /// The collection that has for each collection with indexes a record that says which. It and those of the entries begin
    /// with a NUL, which no name that a program gives can have.
    private static let catalogue = "\0index"
    /// The record with the number that was given last. No collection has no name.
    private static let lastNumber = Key(kept: "", in: catalogue)

    /// Where it stands which indexes a collection has: a field for each, by its name.
    static func key(of collection: String) -> Key { Key(kept: collection, in: catalogue) }

    /// The state of one index; nil where there is none.
    static func of(
        _ name: String, of collection: String, in transaction: borrowing some RecordReading & ~Copyable
    ) throws -> IndexState? {
        let value = try transaction.withView(of: key(of: collection)) { view in try view.value(of: name) }
        guard let value, let value else { return nil }
        return try IndexState(value, named: name)
    }

    /// A number that no index has had.
    static func nextNumber(in backend: any WriteBackend) throws(DataStoreError) -> Int64 {
        let last = try ReadTransaction(backend).record(for: lastNumber)?["number"]
        guard case .integer(let number)? = last ?? .integer(0) else { throw damaged("the number of indexes") }
        try backend.put(["number": .integer(number + 1)], for: lastNumber)
        return number + 1
    }

    // MARK: As a value

    /// As the catalogue keeps it.
    var value: Value {
        let (word, last): (String, String?) =
            switch progress {
            case .ready: ("ready", nil)
            case .through(let last): ("through", last)
            case .outdated: ("outdated", nil)
            }
        var parts: [Value] = [
            .integer(number), .integer(Int64(version)), .bool(isUnique), .bool(hasUnordered), .string(word),
        ]
        if let last { parts.append(.string(last)) }
        return .array(parts)
    }

    /// Reads what the catalogue keeps.
    init(_ value: Value, named name: String) throws(DataStoreError) {
        guard case .array(let parts) = value, parts.count >= 5,
            case .integer(let number) = parts[0], case .integer(let version) = parts[1],
            case .bool(let isUnique) = parts[2], case .bool(let hasUnordered) = parts[3],
            case .string(let word) = parts[4]
        else { throw IndexState.damaged(name) }
        let progress: Progress
        switch (word, parts.dropFirst(5).first) {
        case ("ready", nil): progress = .ready
        case ("through", .string(let last)?): progress = .through(last)
        case ("outdated", nil): progress = .outdated
        default: throw IndexState.damaged(name)
        }
        self.init(
            number: number, version: Int(truncatingIfNeeded: version), isUnique: isUnique, hasUnordered: hasUnordered,
            progress: progress)
    }

    private static func damaged(_ name: String) -> DataStoreError {
        DataStoreError(.corrupted, "what is kept of the index \(name) is not what was written")
    }
}
