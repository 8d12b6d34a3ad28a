/// A value in the form that queries compare, e.g. a mail address, a date or a temperature.
///
/// It does not depend on how a repository stores the value.
public enum Operand: Hashable, Sendable {
    /// Text, compared by Unicode scalar values.
    case text(String)
    /// An integer.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A Boolean value.
    case bool(Bool)
    /// A point in time.
    case instant(Instant)
}
