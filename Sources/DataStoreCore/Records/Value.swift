/// What a field of a record holds: one of the kinds that a property list has, and records within records.
///
/// Equality is exact: strings by their bytes, reals by their bits (so `0.0` and `-0.0` differ), every NaN equal to
/// every other. An integer never equals a real.
public enum Value: Sendable {
    /// Any valid Unicode text, control characters and NUL included.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A floating-point number; the infinities and NaN included.
    case real(Double)
    /// True or false.
    case bool(Bool)
    /// A point in time, to the nanosecond.
    case date(Timestamp)
    /// Any bytes.
    case data([UInt8])
    /// Values in order.
    case array([Value])
    /// Named values.
    case record(Record)
}

extension Value: Hashable {
    /// Whether both are of one kind and exactly the same.
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

    /// Hashes what equality compares.
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
    /// The name of the value's kind, as messages use it.
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
