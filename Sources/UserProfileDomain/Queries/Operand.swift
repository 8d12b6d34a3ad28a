/// A value as queries compare it: what a mail address, a day or a temperature is in an order.
///
/// It says nothing of how the value is stored; whoever keeps entities knows that.
public enum Operand: Hashable, Sendable {
    /// Text; it compares by its Unicode scalar values.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// A number.
    case real(Double)
    /// True or false.
    case bool(Bool)
    /// A point in time.
    case instant(Instant)
}
