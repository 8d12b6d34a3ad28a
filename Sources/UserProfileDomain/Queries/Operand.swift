/// A value with which a query compares fields, e.g. a mail address, a date or a temperature.
///
/// An operand does not depend on how a repository stores the value.
public enum Operand: Hashable, Sendable {
    /// A string, compared by Unicode scalar values.
    case text(String)
    /// A 64-bit integer.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A Boolean value.
    case bool(Bool)
    /// A point in time with nanosecond precision.
    case instant(Instant)
}
