import DataStoreCore

/// The byte strings from one on, before another one.
struct ByteRange: Equatable {
    var lower: [UInt8]
    var upper: [UInt8]

    init(_ lower: [UInt8], _ upper: [UInt8]) {
        self.lower = lower
        self.upper = upper
    }

    /// Those that begin with a text.
    init(prefix: [UInt8]) { self.init(prefix, prefix.ended) }

    /// The ids whose bytes are in the range.
    var ids: IDRange { IDRange(lower: lower, upper: upper) }

    var isEmpty: Bool { !lower.precedes(upper) }

    /// What both have.
    func intersection(_ other: ByteRange) -> ByteRange {
        ByteRange(
            lower.precedes(other.lower) ? other.lower : lower,
            other.upper.precedes(upper) ? other.upper : upper)
    }
}

extension [UInt8] {
    /// What comes after all texts that begin with these bytes: no byte of UTF-8 is 255.
    var ended: [UInt8] {
        var bytes = self
        bytes.append(0xFF)
        return bytes
    }

    /// Whether the bytes come before others, in unsigned order.
    fileprivate func precedes(_ other: [UInt8]) -> Bool { span.precedes(other.span) }
}

/// Where in an index what a condition asks for can be: in ranges that are in order and apart from each other.
struct IndexRanges {
    /// How much a condition leaves out, as far as can be told without looking. More comes later.
    enum Strength: Comparable {
        /// What has a value, or none.
        case existence
        /// All on one side of a value.
        case oneSided
        /// What is between two values, or begins with a text.
        case twoSided
        /// Single values.
        case points
    }

    let ranges: [ByteRange]
    let strength: Strength
    /// Whether the condition holds for all that is in the ranges, so that it need not be asked.
    let isExact: Bool

    init(_ ranges: [ByteRange], _ strength: Strength, isExact: Bool) {
        self.ranges = IndexRanges.joined(ranges)
        self.strength = strength
        self.isExact = isExact
    }

    /// One value.
    init(value text: [UInt8], isExact: Bool) {
        // What begins with a text is never nothing.
        ranges = [ByteRange(prefix: text)]
        strength = .points
        self.isExact = isExact
    }

    /// Whether all that is in the ranges has one value.
    var isOneValue: Bool { strength == .points && ranges.count == 1 }

    /// Everything.
    static let all = all(isExact: true)

    /// Everything, whether or not the condition holds for it.
    static func all(isExact: Bool) -> IndexRanges {
        IndexRanges([ByteRange(Value.missingIndexText, [0xFF])], .existence, isExact: isExact)
    }

    /// What is in both.
    func intersection(_ other: IndexRanges) -> IndexRanges {
        let both = ranges.flatMap { range in other.ranges.map(range.intersection) }
        let isBetween = strength == .oneSided && other.strength == .oneSided
        return IndexRanges(
            both, isBetween ? .twoSided : max(strength, other.strength), isExact: isExact && other.isExact)
    }

    /// What is in one of them.
    func union(_ other: IndexRanges) -> IndexRanges {
        IndexRanges(ranges + other.ranges, min(strength, other.strength), isExact: isExact && other.isExact)
    }

    /// Puts ranges in order, and takes those that touch for one.
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
