/// The result of comparing two values: the left one comes before the right one, is equal to it, or comes after it.
package enum Ordering: Sendable {
    case before, same, after

    /// Compares two values of a `Comparable` type.
    package init<Content: Comparable>(_ left: Content, _ right: Content) {
        self = left < right ? .before : right < left ? .after : .same
    }

    /// Compares the UTF-8 bytes of two strings. This is also the order of their Unicode scalar values.
    init(bytesOf left: String, _ right: String) { self.init(left.byteOrder(to: right), 0) }

    /// Compares bytes in lexicographic order, as unsigned numbers.
    init(bytes left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) {
        self = left.lexicographicallyPrecedes(right) ? .before : left.elementsEqual(right) ? .same : .after
    }

    /// The result of comparing the same values with left and right exchanged.
    package var reversed: Ordering {
        switch self {
        case .before: .after
        case .same: .same
        case .after: .before
        }
    }
}

// Queries have two orders of values, which `RecordQuery` defines. The order of conditions is partial, and the order of
// sorts is total. Both agree on all values that conditions can compare.
extension Value {
    /// Compares two values as conditions of a query do. The result is `nil` for values of different kinds, for NaN,
    /// arrays and records, and for sealed values without a blind.
    func ordering(inConditions other: Value) -> Ordering? {
        switch (self, other) {
        case (.integer, .integer), (.integer, .real), (.real, .integer), (.real, .real):
            isNaN || other.isNaN ? nil : ordering(inSort: other)
        case (.bool, .bool), (.date, .date), (.string, .string), (.data, .data): ordering(inSort: other)
        case (.sealed, .sealed): isOrdered && other.isOrdered ? ordering(inSort: other) : nil
        default: nil
        }
    }

    /// Returns whether conditions consider two values equal.
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

    /// Compares two values by the order in which a query sorts them.
    package func ordering(inSort other: Value) -> Ordering {
        switch (self, other) {
        case (.bool(let left), .bool(let right)): Ordering(left ? 1 : 0, right ? 1 : 0)
        case (.integer(let left), .integer(let right)): Ordering(left, right)
        case (.real(let left), .real(let right)):
            left.isNaN || right.isNaN ? Ordering(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) : Ordering(left, right)
        case (.integer(let left), .real(let right)): Value.ordering(left, right)
        case (.real(let left), .integer(let right)): Value.ordering(right, left).reversed
        case (.date(let left), .date(let right)): Ordering(left, right)
        case (.string(let left), .string(let right)): Ordering(bytesOf: left, right)
        case (.data(let left), .data(let right)): Ordering(bytes: left, right)
        case (.sealed(let left), .sealed(let right)):
            Ordering(bytes: SealedValue.comparableBytes(of: left), SealedValue.comparableBytes(of: right))
        // Index texts of arrays and records have the order of sorts.
        default:
            indexTag == other.indexTag
                ? Ordering(bytes: indexText, other.indexText) : Ordering(indexTag, other.indexTag)
        }
    }

    /// Compares two optional values by the order in which a query sorts them. A missing value comes first.
    package static func ordering(inSort left: Value?, _ right: Value?) -> Ordering {
        guard let left, let right else { return Ordering(left == nil ? 0 : 1, right == nil ? 0 : 1) }
        return left.ordering(inSort: right)
    }

    private var isNaN: Bool { if case .real(let number) = self { number.isNaN } else { false } }

    /// Compares an integer with a real without rounding the integer.
    private static func ordering(_ integer: Int64, _ real: Double) -> Ordering {
        // NaN comes after all numbers.
        if real.isNaN || real >= 0x1p63 { return .before }
        if real < -0x1p63 { return .after }
        // If the whole parts are equal, the fraction decides.
        let whole = Int64(real)
        return integer == whole ? Ordering(0, real - Double(whole)) : Ordering(integer, whole)
    }
}
