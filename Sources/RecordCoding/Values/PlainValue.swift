import DataStoreCore
import UserProfileData

/// A type that is stored as one plain value, such as a string or a number.
///
/// The coders convert the values of these types directly. They do not call `encode(to:)` and `init(from:)`, because
/// these functions would call the coder again.
protocol PlainValue {
    var plainValue: Value { get }

    /// Creates the content from a stored value. Returns `nil` if the value is of another kind or out of range.
    init?(plainValue: Value)
}

extension String: PlainValue {
    var plainValue: Value { .string(self) }

    init?(plainValue: Value) {
        guard let text = plainValue.string else { return nil }
        self = text
    }
}

extension Bool: PlainValue {
    var plainValue: Value { .bool(self) }

    init?(plainValue: Value) {
        guard case .bool(let flag) = plainValue else { return nil }
        self = flag
    }
}

extension Double: PlainValue {
    var plainValue: Value { .real(self) }

    init?(plainValue: Value) {
        guard let number = plainValue.real else { return nil }
        self = number
    }
}

extension Float: PlainValue {
    var plainValue: Value { .real(Double(self)) }

    /// Creates the number by rounding a real. Returns `nil` if a finite real exceeds the range of `Float`.
    init?(plainValue: Value) {
        guard let number = plainValue.real else { return nil }
        let rounded = Float(number)
        guard rounded.isFinite || !number.isFinite else { return nil }
        self = rounded
    }
}

extension FixedWidthInteger {
    /// The integer, or its decimal digits as a string if `Int64` cannot represent it.
    var plainValue: Value { Int64(exactly: self).map { .integer($0) } ?? .string("\(self)") }

    init?(plainValue: Value) {
        switch plainValue {
        case .integer(let number): self.init(exactly: number)
        case .string(let digits):
            // Only an integer outside the range of `Int64` is stored as a string, in the form of `description`.
            guard let number = Self(digits), Int64(exactly: number) == nil, "\(number)" == digits else { return nil }
            self = number
        default: return nil
        }
    }
}

extension Int: PlainValue {}
extension Int8: PlainValue {}
extension Int16: PlainValue {}
extension Int32: PlainValue {}
extension Int64: PlainValue {}
extension Int128: PlainValue {}
extension UInt: PlainValue {}
extension UInt8: PlainValue {}
extension UInt16: PlainValue {}
extension UInt32: PlainValue {}
extension UInt64: PlainValue {}
extension UInt128: PlainValue {}

extension Value {
    /// The value that represents `nil` in arrays and dictionaries.
    static let null = Value.record([CodedName.null: .bool(true)])

    /// Whether the value is ``null``, which represents `nil`.
    var isNull: Bool {
        guard let record, record.count == 1 else { return false }
        return record[CodedName.null] == .bool(true)
    }
}
