package import DataStoreCore

/// A condition that a query evaluates for each record. ``RecordQuery`` defines the meaning of each comparison.
///
/// ```swift
/// let condition = Condition.and([
///     .beginsWith(QueryField("mailAddress"), "vision@"),
///     .between(QueryField("birthday"), .string("1990-01-01"), .string("1999-12-31")),
/// ])
/// ```
///
/// Operands are values and are never parsed, so no character must be escaped.
package indirect enum Condition: Sendable {
    /// An operator that compares the value of a field with a given value.
    package enum Comparison: Hashable, Sendable, CaseIterable {
        /// The field has a value that equals the given value.
        case equal
        /// No value of the field equals the given value. A field without a value meets this comparison, too.
        case notEqual
        /// The field has a value that is less than the given value.
        case less
        /// The field has a value that is less than or equal to the given value.
        case lessOrEqual
        /// The field has a value that is greater than the given value.
        case greater
        /// The field has a value that is greater than or equal to the given value.
        case greaterOrEqual
    }

    /// True if the comparison of the field with the value holds.
    case compare(QueryField, Comparison, Value)
    /// True if the value of the field is one of the given values. False if the array is empty.
    case isIn(QueryField, [Value])
    /// True if the value of the field is in a closed range. The values are the lower and the upper bound.
    case between(QueryField, Value, Value)
    /// True if the value of the field is a string with the given prefix. Every string has the empty prefix.
    case beginsWith(QueryField, String)
    /// True if the value of the field is a string that contains the given substring. Every string contains the empty
    /// string. If `after` is an ASCII character, only the text after its last occurrence is searched.
    case contains(QueryField, String, after: UInt8? = nil)
    /// True if the field has a value.
    case exists(QueryField)
    /// True if the value of the field is a record that meets a condition on its own fields. If the field has several
    /// values, one of them must meet the whole condition.
    case any(QueryField, Condition)
    /// True if all conditions are true, or if the array is empty.
    case and([Condition])
    /// True if at least one condition is true. False if the array is empty.
    case or([Condition])
    /// True if the condition is false.
    case not(Condition)
}
