/// An operator that compares the value of a field with a given value. A `FilterTranslator` receives it.
///
/// ```swift
/// func condition(_ column: String, _ comparison: FilterComparison) -> String {
///     comparison == .less ? "\(column) < ?" : …
/// }
/// ```
public enum FilterComparison: Hashable, Sendable, CaseIterable {
    /// The field has a value, which equals the given value.
    case equal
    /// The field has a value that differs from the given value, or has no value.
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
