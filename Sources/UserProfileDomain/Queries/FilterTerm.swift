/// What a ``Filter`` asks, with fields by their names.
public indirect enum FilterTerm: Hashable, Sendable {
    /// A comparison of a field with a value.
    public enum Comparison: Hashable, Sendable, CaseIterable {
        /// Whether they are equal.
        case equal
        /// Whether they are not, also because there is no value.
        case notEqual
        /// Whether the field's value comes before.
        case less
        /// Whether the field's value comes before or is equal.
        case lessOrEqual
        /// Whether the field's value comes after.
        case greater
        /// Whether the field's value comes after or is equal.
        case greaterOrEqual
    }

    /// Compares a field with a value.
    case compare(String, Comparison, Operand)
    /// Whether a field has one of some values.
    case isIn(String, [Operand])
    /// Whether a field's value is neither before the first nor after the second.
    case between(String, Operand, Operand)
    /// Whether a field's value begins with a text.
    case begins(String, with: String)
    /// Whether a field's value has a text somewhere in it.
    case contains(String, String)
    /// Whether a field has a value.
    case exists(String)
    /// Whether one of the parts under a field meets a term about parts.
    case any(String, FilterTerm)
    /// Whether all hold; with none of them it always does.
    case and([FilterTerm])
    /// Whether one holds; with none of them it never does.
    case or([FilterTerm])
    /// Whether the other does not hold.
    case not(FilterTerm)
}
