/// A translator of filters to a target form, e.g. an SQL predicate or the parameters of a request.
///
/// The module `ProfileFormats` has translators to SQL, to the query language with its GET parameters, and to
/// predicates.
///
/// Implement this protocol for a repository that evaluates queries elsewhere, e.g. in an SQL database. Pass the
/// translator to ``Filter/translated(by:)``. Each function translates one kind of condition. This example translates
/// three kinds to SQL with parameters:
///
/// ```swift
/// struct SQLTranslator: FilterTranslator {
///     func compare(_ field: String, _ comparison: FilterComparison, _ value: Operand) throws -> SQL {
///         guard comparison == .equal else { throw unsupported("\(comparison)") }
///         return SQL("\(try column(field)) IS ?", [value])
///     }
///     func exists(_ field: String) throws -> SQL { SQL("\(try column(field)) IS NOT NULL", []) }
///     func not(_ condition: SQL) -> SQL { SQL("NOT (\(condition.text))", condition.values) }
///     …
/// }
/// ```
///
/// The name of a field is the name that was passed to ``EntityField/init(_:)`` or ``EntityParts/init(_:)``. Values may
/// contain any text, so pass them as parameters or quote them.
///
/// A condition is either true or false. If a field has no value, `FilterComparison.notEqual` is true and every other
/// comparison is false. In SQL, a comparison with `NULL` is neither true nor false, so translate a comparison to an
/// expression that is never `NULL`.
///
/// If a field is unknown or the target form cannot express a condition exactly, throw a ``RepositoryError`` with the
/// code ``RepositoryError/Code/programmingError``. An approximate condition would not select the same entities as a
/// local repository.
public protocol FilterTranslator {
    /// The type of a translated condition, e.g. a string.
    associatedtype Translation

    /// Translates the comparison of a field with a value.
    func compare(_ field: String, _ comparison: FilterComparison, _ value: Operand) throws -> Translation

    /// Translates the condition that the value of a field is one of several values. If there are no values, the
    /// condition is false.
    func isIn(_ field: String, _ values: [Operand]) throws -> Translation

    /// Translates the condition that the value of a field is in a closed range. If the upper bound is less than the
    /// lower bound, the condition is false.
    func between(_ field: String, _ lower: Operand, _ upper: Operand) throws -> Translation

    /// Translates the condition that the value of a field is a text that matches.
    ///
    /// A mail address is searched as typed and in its comparable form. The case of ASCII letters in the domain is
    /// always ignored.
    ///
    /// - Parameters:
    ///   - field: The name of the field.
    ///   - match: The text to search for, and the way to search.
    /// - Returns: The translated condition.
    /// - Throws: An error if the target form cannot express the condition.
    func text(_ field: String, _ match: TextMatch) throws -> Translation

    /// Translates the condition that a field has a value.
    func exists(_ field: String) throws -> Translation

    /// Translates the condition that at least one part of the entity meets a condition.
    ///
    /// - Parameters:
    ///   - parts: The name of the field that contains the parts.
    ///   - condition: A closure that translates the condition on a part. Its argument is a translator for the fields of
    ///     the part.
    /// - Returns: The translated condition.
    /// - Throws: An error if the target form cannot express the condition.
    func any(_ parts: String, _ condition: (Self) throws -> Translation) throws -> Translation

    /// Combines translated conditions into a condition that is true if all of them are true. If the array is empty, the
    /// condition is true.
    func and(_ conditions: [Translation]) throws -> Translation

    /// Combines translated conditions into a condition that is true if at least one of them is true. If the array is
    /// empty, the condition is false.
    func or(_ conditions: [Translation]) throws -> Translation

    /// Negates a translated condition.
    func not(_ condition: Translation) throws -> Translation
}
