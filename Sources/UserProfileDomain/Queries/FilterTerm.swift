/// The expression of a ``Filter``, with fields given by name. Switch over it to evaluate filters in a repository of
/// your own.
public indirect enum FilterTerm: Hashable, Sendable {
    /// An operator that compares a field with a value.
    public enum Comparison: Hashable, Sendable, CaseIterable {
        /// The values are equal.
        case equal
        /// The values differ, or the field has no value.
        case notEqual
        /// The field's value is less than the given one.
        case less
        /// The field's value is less than or equal to the given one.
        case lessOrEqual
        /// The field's value is greater than the given one.
        case greater
        /// The field's value is greater than or equal to the given one.
        case greaterOrEqual
    }

    /// Whether the comparison of a field with a value holds.
    case compare(String, Comparison, Operand)
    /// Whether a field has one of several values.
    case isIn(String, [Operand])
    /// Whether a field's value is in a closed range, given by its lower and upper bound.
    case between(String, Operand, Operand)
    /// Whether a field's value begins with a text, possibly regardless of the case of ASCII letters.
    case begins(String, with: String, ignoringCase: Bool = false)
    /// Whether a field's value contains a text, possibly regardless of the case of ASCII letters.
    case contains(String, String, ignoringCase: Bool = false)
    /// Whether a field has a value.
    case exists(String)
    /// Whether at least one part in a field meets a term.
    case any(String, FilterTerm)
    /// Whether all terms hold. It is true if there are no terms.
    case and([FilterTerm])
    /// Whether at least one term holds. It is false if there are no terms.
    case or([FilterTerm])
    /// Whether the term does not hold.
    case not(FilterTerm)
}
