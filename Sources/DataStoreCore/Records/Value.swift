/// The value of a field of a ``Record``: one of the types of a property list, or a nested record.
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
        }
    }
}
