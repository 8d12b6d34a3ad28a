/// The expression of a ``Filter``, which refers to fields by name. Switch over it to evaluate filters in a repository
/// of your own.
public indirect enum FilterTerm: Hashable, Sendable {
    /// An operator that compares the value of a field with a given value.
    public enum Comparison: Hashable, Sendable, CaseIterable {
        /// The field has a value, which equals the given value.
        case equal
        /// The field has a value that differs from the given value, or has no value.
        case notEqual
        /// The field has a value, which is less than the given value.
        case less
        /// The field has a value, which is less than or equal to the given value.
        case lessOrEqual
        /// The field has a value, which is greater than the given value.
        case greater
        /// The field has a value, which is greater than or equal to the given value.
        case greaterOrEqual
    }

    /// True if the comparison of the named field with the operand holds.
    case compare(String, Comparison, Operand)
    /// True if the value of the named field is one of the operands.
    case isIn(String, [Operand])
    /// True if the value of the named field is in a closed range. The operands are the lower and the upper bound.
    case between(String, Operand, Operand)
    /// True if the value of the named field begins with a text, optionally ignoring the case of ASCII letters.
    case begins(String, with: String, ignoringCase: Bool = false)
    /// True if the value of the named field contains a text, optionally ignoring the case of ASCII letters.
    case contains(String, String, ignoringCase: Bool = false)
    /// True if the named field has a value.
    case exists(String)
    /// True if at least one part in the named field meets the term.
    case any(String, FilterTerm)
    /// True if all terms are true, or if the array is empty.
    case and([FilterTerm])
    /// True if at least one term is true. False if the array is empty.
    case or([FilterTerm])
    /// True if the term is false.
    case not(FilterTerm)
}
