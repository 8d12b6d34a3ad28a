package import DataStoreCore

// Both orders that a query knows; `RecordQuery` says what they mean. The one of conditions has gaps, the one of sorting
// has none, and where the first says something the second says the same.
extension Value {
    /// The place of the value in the order of conditions: nil where the two have none, i.e. where they are of different
    /// kinds, one is not a number (NaN), or they are arrays or records.
    func ordering(inConditions other: Value) -> Ordering? {
        switch (self, other) {
        case (.integer, .integer), (.integer, .real), (.real, .integer), (.real, .real):
            isNaN || other.isNaN ? nil : ordering(inSort: other)
        case (.bool, .bool), (.date, .date), (.string, .string), (.data, .data): ordering(inSort: other)
        default: nil
        }
    }

    /// Whether both are equal in conditions.
    func isEqual(inConditions other: Value) -> Bool {
        switch (self, other) {
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(inConditions: $1) }
        case (.record(let left), .record(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { left, right in
                    left.isNamed(right.name) && left.value.isEqual(inConditions: right.value)
                }
        default: ordering(inConditions: other) == .same
        }
    }

    /// The place of the value in the order of sorting, which has a place for every value.
    package func ordering(inSort other: Value) -> Ordering {
        switch (self, other) {
        case (.bool(let left), .bool(let right)): Ordering(left ? 1 : 0, right ? 1 : 0)
        case (.integer(let left), .integer(let right)): Ordering(left, right)
        case (.real(let left), .real(let right)):
            left.isNaN || right.isNaN ? Ordering(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) : Ordering(left, right)
        case (.integer(let left), .real(let right)): Value.ordering(left, right)
        case (.real(let left), .integer(let right)): Value.ordering(right, left).reversed
        case (.date(let left), .date(let right)): Ordering(left, right)
        case (.string(let left), .string(let right)): left.ordering(byBytes: right)
        case (.data(let left), .data(let right)): Value.ordering(left, right) { Ordering($0, $1) }
        case (.array(let left), .array(let right)): Value.ordering(left, right) { $0.ordering(inSort: $1) }
        case (.record(let left), .record(let right)):
            Value.ordering(left, right) { left, right in
                let names = left.name.ordering(byBytes: right.name)
                return names == .same ? left.value.ordering(inSort: right.value) : names
            }
        default: Ordering(rank, other.rank)
        }
    }

    /// The place of an optional value in the order of sorting: what is missing comes first.
    package static func ordering(inSort left: Value?, _ right: Value?) -> Ordering {
        switch (left, right) {
        case (nil, nil): .same
        case (nil, _): .before
        case (_, nil): .after
        case (let left?, let right?): left.ordering(inSort: right)
        }
    }

    /// The place of the value's kind among the kinds. Numbers are one.
    private var rank: Int {
        switch self {
        case .bool: 0
        case .integer, .real: 1
        case .date: 2
        case .string: 3
        case .data: 4
        case .array: 5
        case .record: 6
        }
    }

    private var isNaN: Bool { if case .real(let number) = self { number.isNaN } else { false } }

    /// Compares the numbers themselves: a real that is near an integer is not the integer.
    private static func ordering(_ integer: Int64, _ real: Double) -> Ordering {
        // What is not a number comes after all that are.
        if real.isNaN || real >= 0x1p63 { return .before }
        if real < -0x1p63 { return .after }
        // The fraction is cut off, so it decides only where the rest is equal.
        let whole = Int64(real)
        return integer == whole ? Ordering(0, real - Double(whole)) : Ordering(integer, whole)
    }

    /// Compares element by element; the shorter one comes first where it is the beginning of the longer one.
    private static func ordering<Elements: RandomAccessCollection>(
        _ left: Elements, _ right: Elements, _ ordering: (Elements.Element, Elements.Element) -> Ordering
    ) -> Ordering {
        for (left, right) in zip(left, right) {
            let ordering = ordering(left, right)
            if ordering != .same { return ordering }
        }
        return Ordering(left.count, right.count)
    }
}
