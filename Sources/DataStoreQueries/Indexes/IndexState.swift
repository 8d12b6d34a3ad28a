import DataStoreCore

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

    /// The collection that its entries are kept in.
    let entries: String
    /// The version of the ``RecordIndex``.
    var version: Int
    var isUnique: Bool
    /// Whether entries hold the records that they lead to, but for those that are not in order.
    var isCovering: Bool
    /// Whether there may be entries that are not in order.
    var hasUnordered: Bool
    var progress: Progress

    init(
        entries: String, version: Int, isUnique: Bool, isCovering: Bool, hasUnordered: Bool = false, progress: Progress
    ) {
        self.entries = entries
        self.version = version
        self.isUnique = isUnique
        self.isCovering = isCovering
        self.hasUnordered = hasUnordered
        self.progress = progress
    }

    /// Whether it is the one that a program knows.
    func isOf(_ index: RecordIndex) -> Bool { version == index.version }

    /// Whether it can be used as what a program knows.
    func isReady(_ index: RecordIndex) -> Bool { isOf(index) && progress == .ready && isAll(index) }

    /// Whether it is unique and covering, where a program asks for that.
    func isAll(_ index: RecordIndex) -> Bool {
        (isUnique || !index.isUnique) && (isCovering || !index.isCovering)
    }

    /// Makes it unique and covering, where a program asks for that: it is to be made again.
    mutating func become(_ index: RecordIndex) {
        isUnique = isUnique || index.isUnique
        isCovering = isCovering || index.isCovering
        progress = .outdated
    }

    /// What an entry holds of a record.
    func content(of entry: String, _ record: Record) -> Record {
        isCovering && !IndexEntry.isUnordered(entry) ? record : Record()
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
    /// The key of the record with the number that was assigned last. No collection has an empty name, so no other record uses it.
    private static let lastNumber = Key(kept: "", in: IndexCatalogueRecord.collection)

    /// Where it stands which indexes a collection has: a field for each, by its name.
    static func key(of collection: String) -> Key { IndexCatalogueRecord.key(of: collection) }

    /// Returns the state of an index, or `nil` if the snapshot does not have it. A store in memory creates the index.
    static func of(
        _ index: RecordIndex, of collection: String, in transaction: borrowing ReadTransaction
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
        let value = try transaction.withView(of: key(of: collection)) { view in try view.value(of: name) }
        guard let value, let value else { return nil }
        return try IndexState(value, named: name)
    }

    /// A collection for entries that no index has had.
    static func newEntries(in backend: any NativeWriteBackend) throws(DataStoreError) -> String {
        let last = try ReadTransaction(native: backend).record(for: lastNumber)?["number"]
        guard case .integer(let number)? = last ?? .integer(0) else { throw damaged("the number of indexes") }
        try backend.put(["number": .integer(number + 1)], for: lastNumber)
        return IndexCatalogueRecord.entriesPrefix + String(number + 1, radix: 36)
    }

    // MARK: As a value

    /// As the catalogue keeps it, e.g. `1 1 ---r`: the number of the entries, the version, a letter for each thing that it is,
    /// and how far it goes where it is being made. Each query reads one: most are so short that they are no object of their own.
    var value: Value {
        let (letter, last) =
            switch progress {
            case .ready: ("r", "")
            case .through(let last): ("t", last)
            case .outdated: ("o", "")
            }
        let number = entries.dropFirst(IndexCatalogueRecord.entriesPrefix.count)
        let traits = "\(isUnique ? "u" : "-")\(hasUnordered ? "o" : "-")\(isCovering ? "c" : "-")"
        return .string("\(number) \(version) \(traits)\(letter)\(last)")
    }

    /// Reads what the catalogue keeps.
    init(_ value: Value, named name: String) throws(DataStoreError) {
        guard case .string(let text) = value, let parts = Parts(of: text) else { throw IndexState.damaged(name) }
        switch parts.letter {
        case UInt8(ascii: "r"): progress = .ready
        case UInt8(ascii: "t"): progress = .through(String(Substring(text.utf8.dropFirst(parts.count))))
        case UInt8(ascii: "o"): progress = .outdated
        default: throw IndexState.damaged(name)
        }
        entries = IndexCatalogueRecord.entriesPrefix + Substring(text.utf8.prefix(parts.numberCount))
        version = parts.version
        isUnique = parts.isUnique
        hasUnordered = parts.hasUnordered
        isCovering = parts.isCovering
    }

    /// What stands in the text before the id, read byte by byte: parts of strings cost many times as much.
    private struct Parts {
        var numberCount = 0
        var version = 0
        var isUnique = false
        var hasUnordered = false
        var isCovering = false
        var letter: UInt8 = 0
        /// How many bytes that are.
        var count = 0

        init?(of text: String) {
            guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
                self.init(of: Array(text.utf8).span)
                return
            }
            self.init(of: text.utf8.span)
        }

        private init?(of bytes: Span<UInt8>) {
            while count < bytes.count, bytes[count] != UInt8(ascii: " ") { count += 1 }
            numberCount = count
            count += 1
            let isNegative = count < bytes.count && bytes[count] == UInt8(ascii: "-")
            if isNegative { count += 1 }
            while count < bytes.count, bytes[count] != UInt8(ascii: " ") {
                let digit = Int(bytes[count]) - Int(UInt8(ascii: "0"))
                let (tens, isTooLong) = version.multipliedReportingOverflow(by: 10)
                let (next, isTooLarge) =
                    isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
                guard 0...9 ~= digit, !isTooLong, !isTooLarge else { return nil }
                version = next
                count += 1
            }
            guard count + 3 < bytes.count else { return nil }
            isUnique = bytes[count + 1] == UInt8(ascii: "u")
            hasUnordered = bytes[count + 2] == UInt8(ascii: "o")
            count += 3
            isCovering = bytes[count] == UInt8(ascii: "c")
            // None where a program wrote it that did not know of indexes that cover.
            if isCovering || bytes[count] == UInt8(ascii: "-") { count += 1 }
            guard count < bytes.count else { return nil }
            letter = bytes[count]
            count += 1
        }
    }

    private static func damaged(_ name: String) -> DataStoreError {
        DataStoreError(.corrupted, "what is kept of the index \(name) is not what was written")
    }
}
