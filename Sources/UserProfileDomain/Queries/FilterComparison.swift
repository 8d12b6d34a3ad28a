/// An operator that compares a field with a value.
public enum FilterComparison: Hashable, Sendable, CaseIterable {
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
