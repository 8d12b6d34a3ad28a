import DataStoreCore

/// A range of byte strings in lexicographic order, from a lower bound up to, but not including, an upper bound.
struct ByteRange: Equatable {
    var lower: [UInt8]
    var upper: [UInt8]

    init(_ lower: [UInt8], _ upper: [UInt8]) {
        self.lower = lower
        self.upper = upper
    }

    /// Creates the range of byte strings with a prefix.
    init(prefix: [UInt8]) { self.init(prefix, prefix.ended) }

    /// Creates the range of a single id. The upper bound is the id followed by a NUL, which is the next possible id.
    init(id: String) {
        let bytes = Array(id.utf8)
        self.init(bytes, bytes + [0])
    }

    /// The range of ids whose UTF-8 bytes are in this range.
    var ids: IDRange { IDRange(lower: lower, upper: upper) }

    var isEmpty: Bool { !lower.precedes(upper) }

    /// Returns the range of byte strings that are in both ranges.
    func intersection(_ other: ByteRange) -> ByteRange {
        ByteRange(
            lower.precedes(other.lower) ? other.lower : lower,
            other.upper.precedes(upper) ? other.upper : upper)
    }
}

extension [UInt8] {
    /// The exclusive upper bound of all texts with these bytes as a prefix. It ends with the byte 255, which no UTF-8
    /// text contains.
    var ended: [UInt8] {
        var bytes = self
        bytes.append(0xFF)
        return bytes
    }

    /// Returns whether these bytes come before `other` in lexicographic order.
    fileprivate func precedes(_ other: [UInt8]) -> Bool { span.precedes(other.span) }
}

/// The ranges of index entries that a query reads to find the records that meet a condition. The ranges are sorted, and
/// they neither overlap nor touch.
struct ConditionRanges {
    /// An estimate of how much a condition narrows an index, derived from the form of the condition. Each case is
    /// expected to select fewer entries than the case before it.
    enum Strength: Comparable {
        /// All entries, all existing values, or all strings.
        case existence
        /// The values on one side of a bound, or the missing values.
        case oneSided
        /// The values between two bounds, or with a prefix.
        case twoSided
        /// Single values.
        case points
    }

    let ranges: [ByteRange]
    let strength: Strength
    /// Whether every entry in the ranges meets the condition, so that a query need not evaluate it.
    let isExact: Bool

    init(_ ranges: [ByteRange], _ strength: Strength, isExact: Bool) {
        self.ranges = ConditionRanges.joined(ranges)
        self.strength = strength
        self.isExact = isExact
    }

    /// The range of all entries.
    static let all = ConditionRanges([ByteRange(Value.missingIndexText, [0xFF])], .existence, isExact: true)

    /// Returns the ranges of entries that are in both operands.
    func intersection(_ other: ConditionRanges) -> ConditionRanges {
        let both = ranges.flatMap { range in other.ranges.map(range.intersection) }
        let isBetween = strength == .oneSided && other.strength == .oneSided
        return ConditionRanges(
            both, isBetween ? .twoSided : max(strength, other.strength), isExact: isExact && other.isExact)
    }

    /// Returns the ranges of entries that are in at least one operand.
    func union(_ other: ConditionRanges) -> ConditionRanges {
        ConditionRanges(ranges + other.ranges, min(strength, other.strength), isExact: isExact && other.isExact)
    }

    /// Sorts ranges, merges ranges that overlap or touch, and drops empty ranges.
    private static func joined(_ ranges: [ByteRange]) -> [ByteRange] {
        if ranges.count == 1 { return ranges[0].isEmpty ? [] : ranges }
        var joined: [ByteRange] = []
        for range in ranges.sorted(by: { $0.lower.precedes($1.lower) }) where !range.isEmpty {
            if let last = joined.last, !last.upper.precedes(range.lower) {
                if last.upper.precedes(range.upper) { joined[joined.count - 1].upper = range.upper }
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
