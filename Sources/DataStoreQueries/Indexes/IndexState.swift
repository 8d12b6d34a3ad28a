import DataStoreCore

/// The state of an index in a store.
struct IndexState {
    /// How far its entries go.
    enum Progress {
        /// There are entries for all records.
        case ready
        /// It is being built: there are entries for the records up to this id.
        case through(String)
        /// Records were changed without it.
        case invalid
    }

    /// Whether it rejects a second record with the same value.
    enum Uniqueness: Equatable {
        case no
        /// A program declared it unique, but it has never been complete as such. If two records have the same value,
        /// the declaration is withdrawn and fails.
        case pending
        case enforced
    }

    /// The version of this format. It begins with a zero, because older libraries wrote a number of the program in its
    /// place.
    private static let version = "03"

    /// The collection of its entries.
    let entries: String
    var uniqueness: Uniqueness
    /// Whether entries contain the records, apart from overflow entries.
    var isCovering: Bool
    /// Whether there may be overflow entries.
    var hasOverflowEntries: Bool
    var progress: Progress

    /// Whether an older library wrote it.
    private(set) var isOlder = false

    init(
        entries: String, uniqueness: Uniqueness, isCovering: Bool, hasOverflowEntries: Bool = false, progress: Progress
    ) {
        self.entries = entries
        self.uniqueness = uniqueness
        self.isCovering = isCovering
        self.hasOverflowEntries = hasOverflowEntries
        self.progress = progress
    }

    var isUnique: Bool { uniqueness != .no }

    var isReady: Bool { if case .ready = progress { true } else { false } }

    var isInvalid: Bool { if case .invalid = progress { true } else { false } }

    /// Whether it satisfies a definition.
    func satisfies(_ index: IndexDefinition) -> Bool {
        (isUnique || !index.isUnique) && (isCovering || !index.isCovering)
    }

    /// Adds what a definition asks for. If that is more than before, the index must be rebuilt.
    mutating func add(_ index: IndexDefinition) {
        guard !satisfies(index) else { return }
        if index.isUnique, uniqueness == .no { uniqueness = .pending }
        isCovering = isCovering || index.isCovering
        progress = .invalid
    }

    /// Returns the content of an entry for a record.
    func content(of entry: [UInt8], _ record: Record) -> Record {
        isCovering && !IndexEntry.isOverflow(entry) ? record : Record()
    }

    /// Whether it has entries for a record that is stored.
    func covers(_ id: String) -> Bool {
        switch progress {
        case .ready: true
        case .through(let last): id.ordering(byBytes: last) != .after
        case .invalid: false
        }
    }
}

extension IndexState: Equatable {
    /// Whether both are stored in the same way. (Equal strings can have different bytes, and an id is stored by its
    /// bytes.)
    static func == (left: IndexState, right: IndexState) -> Bool { left.value == right.value }
}

extension IndexState {
    /// The key of the record with the number that was assigned last. No collection has an empty name, so no other
    /// record uses it.
    static let lastNumber = Key(stored: "", in: IndexCatalogueRecord.collection)

    /// Creates the state of an index that has no entries yet.
    static func begun(_ index: IndexDefinition, in backend: any NativeWriteBackend) throws(DataStoreError) -> IndexState
    {
        IndexState(
            entries: try newEntries(in: backend), uniqueness: index.isUnique ? .pending : .no,
            isCovering: index.isCovering, progress: .through(""))
    }

    /// Returns the state of an index, or `nil` if the snapshot does not have it. A store in memory creates the index.
    static func of(
        _ index: IndexDefinition, of collection: String, in transaction: borrowing ReadTransaction
    ) throws -> IndexState? {
        guard let cache = transaction.backend.cache else {
            try transaction.backend.createIndexInMemory(index, of: collection)
            return try stored(index.name, of: collection, in: transaction)
        }
        return try IndexMemory.of(cache).state(of: index.name, of: collection) {
            try stored(index.name, of: collection, in: transaction)
        }
    }

    private static func stored(
        _ name: String, of collection: String, in transaction: borrowing ReadTransaction
    ) throws -> IndexState? {
        let value = try transaction.withView(of: IndexCatalogueRecord.key(of: collection)) { view in
            try view.value(of: name)
        }
        return (value ?? nil).flatMap(IndexState.init)
    }

    /// Returns a collection for entries that no index has had.
    private static func newEntries(in backend: any NativeWriteBackend) throws(DataStoreError) -> String {
        let last = try ReadTransaction(native: backend).record(for: lastNumber)?["number"]
        guard case .integer(let number)? = last ?? .integer(0), number < .max else {
            throw DataStoreError(.corrupted, "the index counter is damaged")
        }
        try backend.put(["number": .integer(number + 1)], for: lastNumber)
        return IndexCatalogueRecord.entriesPrefix + String(number + 1, radix: 36)
    }

    // MARK: As a value

    /// The state as the catalogue keeps it, e.g. `1 03 ---r`: the number of the entries, the format version, a letter
    /// for each trait and for the progress, and the id that an unfinished index reaches. Most fit into a `String`
    /// without allocation.
    var value: Value {
        let (letter, last) =
            switch progress {
            case .ready: ("r", "")
            case .through(let last): ("t", last)
            case .invalid: ("o", "")
            }
        let number = entries.dropFirst(IndexCatalogueRecord.entriesPrefix.count)
        let unique =
            switch uniqueness {
            case .no: "-"
            case .pending: "p"
            case .enforced: "u"
            }
        let traits = "\(unique)\(hasOverflowEntries ? "o" : "-")\(isCovering ? "c" : "-")"
        return .string("\(number) \(Self.version) \(traits)\(letter)\(last)")
    }

    /// Parses what the catalogue keeps. The states of older libraries are invalid.
    ///
    /// - Returns: `nil` if a newer library wrote it.
    init?(_ value: Value) {
        guard case .string(let text) = value else { return nil }
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            self.init(text, Array(text.utf8).span)
            return
        }
        self.init(text, text.utf8.span)
    }

    // Byte by byte: substrings cost many times as much, and each query parses one.
    private init?(_ text: String, _ bytes: Span<UInt8>) {
        var index = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: " ") { index += 1 }
        let numberCount = index
        let versionStart = index + 1
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: " ") { index += 1 }
        // A version with a leading zero that is not the current one is newer.
        let isNumbered = index == versionStart + 2 && bytes[versionStart] == UInt8(ascii: "0")
        let isCurrent = isNumbered && bytes[versionStart + 1] == UInt8(ascii: "3")
        let isOlder =
            index == versionStart + 1 || index > versionStart && bytes[versionStart] != UInt8(ascii: "0")
            || isNumbered && bytes[versionStart + 1] < UInt8(ascii: "3")
        guard isCurrent || isOlder else { return nil }
        self.isOlder = isOlder
        // Two traits, and a third one since indexes can be covering.
        guard numberCount > 0, index + 3 < bytes.count else { return nil }
        switch bytes[index + 1] {
        case UInt8(ascii: "-"): uniqueness = .no
        case UInt8(ascii: "p"): uniqueness = .pending
        case UInt8(ascii: "u"): uniqueness = .enforced
        default: return nil
        }
        hasOverflowEntries = bytes[index + 2] == UInt8(ascii: "o")
        guard hasOverflowEntries || bytes[index + 2] == UInt8(ascii: "-") else { return nil }
        index += 3
        isCovering = bytes[index] == UInt8(ascii: "c")
        if isCovering || bytes[index] == UInt8(ascii: "-") { index += 1 }
        guard index < bytes.count else { return nil }
        entries = IndexCatalogueRecord.entriesPrefix + Substring(text.utf8.prefix(numberCount))
        switch bytes[index] {
        case UInt8(ascii: "r"): progress = isCurrent ? .ready : .invalid
        case UInt8(ascii: "t"):
            progress = isCurrent ? .through(String(Substring(text.utf8.dropFirst(index + 1)))) : .invalid
        case UInt8(ascii: "o"): progress = .invalid
        default: return nil
        }
    }
}
