extension IDRange {
    /// The exclusive upper bound. The byte 255 is greater than all bytes of ids.
    var end: [UInt8] { upper ?? [IDRange.afterUTF8] }

    var isEmpty: Bool { !lower.precedes(end) }

    /// Returns the range of ids that are in both ranges.
    func intersection(_ other: IDRange) -> IDRange {
        IDRange(
            lower: lower.precedes(other.lower) ? other.lower : lower,
            upper: other.end.precedes(end) ? other.end : end)
    }
}

extension [UInt8] {
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

    let ranges: [IDRange]
    let strength: Strength
    /// Whether every entry in the ranges meets the condition, so that a query need not evaluate it.
    let isExact: Bool

    init(_ ranges: [IDRange], _ strength: Strength, isExact: Bool) {
        self.ranges = ConditionRanges.joined(ranges)
        self.strength = strength
        self.isExact = isExact
    }

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
    private static func joined(_ ranges: [IDRange]) -> [IDRange] {
        if ranges.count == 1 { return ranges[0].isEmpty ? [] : ranges }
        var joined: [IDRange] = []
        for range in ranges.sorted(by: { $0.lower.precedes($1.lower) }) where !range.isEmpty {
            if let last = joined.last, !last.end.precedes(range.lower) {
                if last.end.precedes(range.end) {
                    joined[joined.count - 1] = IDRange(lower: last.lower, upper: range.end)
                }
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
