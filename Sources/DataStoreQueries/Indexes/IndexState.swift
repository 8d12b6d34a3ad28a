import DataStoreCore

/// The state of an index in a store: the progress of its build, and its traits.
struct IndexState {
    /// The progress of building the entries of an index.
    enum Progress {
        /// The index has entries for all records.
        case ready
        /// The index is being built. It has entries for the records up to and including this id.
        case through(String)
        /// The index is invalid, because a write changed records without updating it.
        case invalid
    }

    /// The uniqueness of an index: not unique, declared unique but not complete since the declaration, or enforced.
    enum Uniqueness: Equatable {
        case no
        /// A program declared the index as unique, but the index has not been complete since then. If two records have
        /// the same value, the build fails and the declaration is withdrawn.
        case pending
        case enforced
    }

    /// The name of the collection that contains the entries.
    let entries: String
    var uniqueness: Uniqueness
    /// Whether the entries, except overflow entries, contain the records.
    var isCovering: Bool
    /// Whether the index may have overflow entries, i.e. entries of values that are too long for a key.
    var hasOverflowEntries: Bool
    var progress: Progress

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

    /// The bytes with which the key of each entry begins, for ``IndexEntryChanges``.
    var keyPrefix: [UInt8] { Array(entries.utf8) + [0] }

    var isReady: Bool { if case .ready = progress { true } else { false } }

    /// The name of the collection that contains the entries if a lookup can read all matching records from the entries
    /// alone, otherwise `nil`.
    var lookupEntries: String? { isReady && isCovering && !hasOverflowEntries ? entries : nil }

    var isInvalid: Bool { if case .invalid = progress { true } else { false } }

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

    /// Returns how to store an entry. An entry of a covering index contains the record, except for an overflow entry.
    func change(storing isOverflow: Bool) -> IndexEntryChanges.Change {
        isCovering && !isOverflow ? .storedWithRecord : .stored
    }

    /// Returns the content of an entry: the given record if the index is covering, otherwise an empty record. The
    /// content of an overflow entry is always empty.
    func content(of entry: [UInt8], _ record: Record) -> Record {
        isCovering && !IndexEntry.isOverflow(entry) ? record : Record()
    }

    /// Returns whether the index already has entries for the record with an id. A running build adds entries in the
    /// order of the ids.
    func covers(_ id: String) -> Bool {
        switch progress {
        case .ready: true
        case .through(let last): id.ordering(byBytes: last) != .after
        case .invalid: false
        }
    }
}

extension IndexState: Equatable {
    /// Returns whether two states have the same stored form. Their strings are compared by bytes, because ids are
    /// stored as bytes.
    static func == (left: IndexState, right: IndexState) -> Bool { left.value == right.value }
}

extension IndexState {
    /// The key of the record that contains the last number assigned to an index. No other record uses it, because no
    /// collection has an empty name.
    static let lastNumber = Key(stored: "", in: IndexCatalogueRecord.collection)

    /// Creates the state of a new index, which has no entries yet.
    static func begun(_ index: IndexDefinition, in backend: any WriteBackend) throws(DataStoreError) -> IndexState {
        IndexState(
            entries: try newEntries(in: backend), uniqueness: index.isUnique ? .pending : .no,
            isCovering: index.isCovering, progress: .through(""))
    }

    /// Returns the stored state of the index with a name, or `nil` if the index does not exist.
    static func stored(
        _ name: String, of collection: String, in transaction: borrowing ReadTransaction
    ) throws -> IndexState? {
        let value = try transaction.withView(of: IndexCatalogueRecord.key(of: collection)) { view in
            try view.value(of: name)
        }
        return (value ?? nil).flatMap(IndexState.init)
    }

    /// Returns the name of the collection for the entries of a new index. No index has used this name before.
    private static func newEntries(in backend: any WriteBackend) throws(DataStoreError) -> String {
        let last = try ReadTransaction(backend).record(for: lastNumber)?["number"]
        guard case .integer(let number)? = last ?? .integer(0), number < .max else {
            throw DataStoreError(.corrupted, "the index counter is damaged")
        }
        try backend.put(["number": .integer(number + 1)], for: lastNumber)
        return IndexCatalogueRecord.entriesPrefix + String(number + 1, radix: 36)
    }

    // MARK: As a value

    /// The state in its stored form, which ``IndexCatalogueRecord`` describes.
    var value: Value {
        let number = entries.dropFirst(IndexCatalogueRecord.entriesPrefix.count)
        let unique =
            switch uniqueness {
            case .no: "-"
            case .pending: "p"
            case .enforced: "u"
            }
        let progress =
            switch progress {
            case .ready: "r"
            case .through(let last): "t\(last)"
            case .invalid: "o"
            }
        return .string("\(number) \(unique)\(hasOverflowEntries ? "o" : "-")\(isCovering ? "c" : "-")\(progress)")
    }

    /// Parses the stored form of a state. Returns `nil` if another version of the library wrote it.
    init?(_ value: Value) {
        guard case .string(let text) = value else { return nil }
        // Each query parses a state, and an iterator takes less time than substrings.
        var bytes = text.utf8.makeIterator()
        var numberCount = 0
        while let byte = bytes.next(), byte != UInt8(ascii: " ") { numberCount += 1 }
        guard numberCount > 0 else { return nil }
        switch bytes.next() {
        case UInt8(ascii: "-"): uniqueness = .no
        case UInt8(ascii: "p"): uniqueness = .pending
        case UInt8(ascii: "u"): uniqueness = .enforced
        default: return nil
        }
        switch bytes.next() {
        case UInt8(ascii: "-"): hasOverflowEntries = false
        case UInt8(ascii: "o"): hasOverflowEntries = true
        default: return nil
        }
        switch bytes.next() {
        case UInt8(ascii: "-"): isCovering = false
        case UInt8(ascii: "c"): isCovering = true
        default: return nil
        }
        switch bytes.next() {
        case UInt8(ascii: "r"): progress = .ready
        case UInt8(ascii: "o"): progress = .invalid
        // A space and four letters precede the id.
        case UInt8(ascii: "t"): progress = .through(String(Substring(text.utf8.dropFirst(numberCount + 5))))
        default: return nil
        }
        entries = IndexCatalogueRecord.entriesPrefix + String(Substring(text.utf8.prefix(numberCount)))
    }
}
