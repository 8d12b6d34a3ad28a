/// The value of a field of a ``Record``: one of the types of a property list, or a nested record. You meet it in
/// migrations and in mappings.
///
/// ```swift
/// .convert("2026-11 price", of: "trips", "price") { value in
///     guard case .integer(let cents) = value else { return value }
///     return .real(Double(cents) / 100)
/// }
/// ```
///
/// Equality is exact. Strings are compared by their bytes and reals by their bits, so `0.0` and `-0.0` differ. All NaNs
/// are equal. An integer never equals a real.
public enum Value: Sendable {
    /// Any valid Unicode text, including control characters and NUL.
    case string(String)
    /// A 64-bit integer.
    case integer(Int64)
    /// A 64-bit floating-point number, including infinities and NaN.
    case real(Double)
    /// A Boolean value.
    case bool(Bool)
    /// A point in time with nanosecond precision.
    case date(Timestamp)
    /// A sequence of bytes.
    case data([UInt8])
    /// An ordered list of values, which may have different kinds.
    case array([Value])
    /// A nested record.
    case record(Record)
    /// The bytes of a sealed value, which only a program with the sealing key opens and creates. Every program can
    /// read, move and remove it.
    case sealed([UInt8])
}

extension Value: Hashable {
    /// Returns whether two values have the same kind and are exactly equal.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)):
            left.bitPattern == right.bitPattern || (left.isNaN && right.isNaN)
        case (.bool(let left), .bool(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.record(let left), .record(let right)): left == right
        case (.sealed(let left), .sealed(let right)): left == right
        default: false
        }
    }

    /// Hashes the value, consistently with `==`.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let text): text.hashBytes(into: &hasher)
        case .integer(let number): hasher.combine(number)
        case .real(let number): hasher.combine(number.isNaN ? Double.nan.bitPattern : number.bitPattern)
        case .bool(let flag): hasher.combine(flag)
        case .date(let date): hasher.combine(date)
        case .data(let bytes): hasher.combine(bytes)
        case .array(let values): hasher.combine(values)
        case .record(let record): hasher.combine(record)
        case .sealed(let bytes): hasher.combine(bytes)
        }
    }
}

extension Value {
    /// The name of the value's kind for error messages, e.g. `string`.
    package var kind: String {
        switch self {
        case .string: "string"
        case .integer: "integer"
        case .real: "real"
        case .bool: "bool"
        case .date: "date"
        case .data: "data"
        case .array: "array"
        case .record: "record"
        case .sealed: "sealed"
        }
    }
}

/// A point in time with nanosecond precision: the time since 1970-01-01T00:00:00Z, without leap seconds.
///
/// ```swift
/// let start = Timestamp(seconds: 1_780_000_000)
/// let isOver = start < Timestamp(seconds: 1_790_000_000)
/// ```
public struct Timestamp: Hashable, Sendable {
    /// The whole seconds since 1970-01-01T00:00:00Z. The number is negative for earlier times.
    public let seconds: Int64

    /// The nanoseconds after the whole second, 0 to 999,999,999.
    public let nanoseconds: UInt32

    /// Creates a point in time. Returns `nil` if `nanoseconds` is 1,000,000,000 or more.
    public init?(seconds: Int64, nanoseconds: UInt32) {
        guard nanoseconds < 1_000_000_000 else { return nil }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// Creates a point in time at a whole second since 1970-01-01T00:00:00Z.
    public init(seconds: Int64) {
        self.seconds = seconds
        self.nanoseconds = 0
    }
}

extension Timestamp: Comparable {
    /// Returns whether the left point in time is earlier.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

extension Timestamp {
    /// Returns the time until another point in time. It is negative if the other one is earlier.
    package func duration(to other: Timestamp) -> Duration {
        .seconds(other.seconds) - .seconds(seconds)
            + .nanoseconds(Int64(other.nanoseconds) - Int64(nanoseconds))
    }
}

extension Value {
    /// The text if the value is a string, otherwise `nil`.
    @inlinable public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The number if the value is an integer, otherwise `nil`.
    @inlinable public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The number if the value is a real, or an integer that a real represents exactly. Otherwise `nil`.
    ///
    /// An integer is accepted because a person may write `6` for 6.0 in a property list.
    @inlinable public var real: Double? {
        switch self {
        case .real(let number): number
        case .integer(let number): Double(exactly: number)
        default: nil
        }
    }

    /// The point in time if the value is a date, otherwise `nil`.
    @inlinable public var date: Timestamp? { if case .date(let date) = self { date } else { nil } }

    /// The elements if the value is an array, otherwise `nil`.
    @inlinable public var array: [Value]? { if case .array(let values) = self { values } else { nil } }

    /// The nested record if the value is a record, otherwise `nil`.
    @inlinable public var record: Record? { if case .record(let record) = self { record } else { nil } }

    /// The elements if the value is an array of strings, otherwise `nil`.
    package var strings: [String]? {
        guard let array else { return nil }
        let strings = array.compactMap(\.string)
        return strings.count == array.count ? strings : nil
    }
}
