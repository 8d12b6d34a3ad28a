/// A translator of filters to another form, e.g. a predicate of a database or the parameters of a request.
///
/// Implement it if a repository of your own evaluates queries elsewhere, and pass it to ``Filter/translated(by:)``.
/// Each function translates one kind of condition, here three of them to SQL with parameters:
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
/// Fields have the names that they are declared with, see ``EntityField/init(_:)``. Values are never parts of an
/// expression, so pass them as parameters or quote them.
///
/// A condition is either true or false. A comparison of a field without a value is false, except
/// ``FilterComparison/notEqual``. In a language with a third state, such as SQL, make this explicit.
///
/// Throw an error with the code `programmingError` for an unknown field, and for a condition that the other form cannot
/// express. A translator that approximates it would return other entities than a local repository.
public protocol FilterTranslator {
    /// The form of a translated condition.
    associatedtype Translation

    /// Translates the comparison of a field with a value.
    func compare(_ field: String, _ comparison: FilterComparison, _ value: Operand) throws -> Translation

    /// Translates the condition that a field has one of several values. Without values it is always false.
    func isIn(_ field: String, _ values: [Operand]) throws -> Translation

    /// Translates the condition that a field's value is in a closed range. If the upper bound is less than the lower
    /// one, it is always false.
    func between(_ field: String, _ lower: Operand, _ upper: Operand) throws -> Translation

    /// Translates the condition that a field's value begins with a text. The empty text matches every value.
    ///
    /// In a mail address, the comparison ignores the case of ASCII letters after an `@`.
    ///
    /// - Parameters:
    ///   - field: The name of the field.
    ///   - text: The prefix.
    ///   - ignoresCase: Whether to ignore the case of all ASCII letters.
    /// - Returns: The translated condition.
    /// - Throws: An error if it cannot be expressed.
    func begins(_ field: String, with text: String, ignoringCase ignoresCase: Bool) throws -> Translation

    /// Translates the condition that a field's value contains a text. The empty text matches every value.
    ///
    /// In a mail address, the comparison ignores the case of ASCII letters in the domain, and of those after an `@` in
    /// the text.
    ///
    /// - Parameters:
    ///   - field: The name of the field.
    ///   - text: The text to search for.
    ///   - ignoresCase: Whether to ignore the case of all ASCII letters.
    /// - Returns: The translated condition.
    /// - Throws: An error if it cannot be expressed.
    func contains(_ field: String, _ text: String, ignoringCase ignoresCase: Bool) throws -> Translation

    /// Translates the condition that a field has a value.
    func exists(_ field: String) throws -> Translation

    /// Translates the condition that at least one part of the entity meets a whole condition by itself.
    ///
    /// - Parameters:
    ///   - parts: The name of the field with the parts.
    ///   - condition: Translates the condition on a part with a translator for the fields of the part.
    /// - Returns: The translated condition.
    /// - Throws: An error if it cannot be expressed.
    func any(_ parts: String, _ condition: (Self) throws -> Translation) throws -> Translation

    /// Translates the condition that all conditions hold. Without conditions it is always true.
    func and(_ conditions: [Translation]) throws -> Translation

    /// Translates the condition that at least one condition holds. Without conditions it is always false.
    func or(_ conditions: [Translation]) throws -> Translation

    /// Translates the condition that another one does not hold.
    func not(_ condition: Translation) throws -> Translation
}
