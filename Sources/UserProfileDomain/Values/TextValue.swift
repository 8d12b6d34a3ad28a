/// A value that is fully represented by its text, such as a mail address or a date.
///
/// A conforming type declares ``text`` and ``init(_:)``. Default implementations encode the text, return it as the
/// description and compare it in queries. If equal values can have different texts, implement ``FieldContent/operand``
/// as well.
///
/// ```swift
/// struct PostalCode: TextValue {
///     let text: String
///
///     init(_ text: String) throws(ValidationError) {
///         guard text.utf8.count == 7 else {
///             throw ValidationError(.init("a postal code"), given: text, rule: "it has seven characters")
///         }
///         self.text = text
///     }
/// }
/// ```
public protocol TextValue: Hashable, Codable, CustomStringConvertible, FieldContent {
    /// The value as text.
    var text: String { get }

    /// Parses a value.
    ///
    /// - Parameter text: The text of a value, as ``text`` returns it.
    /// - Throws: ``ValidationError`` with the violated rule if the text is invalid.
    init(_ text: String) throws(ValidationError)

    /// Creates a value from the text of a stored value. The default implementation parses a new value. Implement this
    /// initializer if a store may contain values that are no longer accepted.
    ///
    /// - Parameter text: The text of a stored value.
    /// - Throws: ``ValidationError`` if no stored value has the text.
    init(stored text: String) throws(ValidationError)
}

extension TextValue {
    /// Parses the text of a new value.
    public init(stored text: String) throws(ValidationError) { try self.init(text) }

    /// The value as text.
    public var description: String { text }

    /// The text as an operand. Queries compare it by Unicode scalar values.
    public var operand: Operand { .text(text) }

    /// Parses the text of an operand, or returns `nil` if the operand is not a string or the string is invalid.
    public init?(operand: Operand) {
        guard case .text(let text) = operand else { return nil }
        // The reason for the error is not needed: `nil` means that no value has this text.
        do { try self.init(stored: text) } catch { return nil }
    }

    /// Decodes a string and validates it. Throws ``ValidationError`` if the string is invalid.
    public init(from decoder: any Decoder) throws { try self.init(stored: String(from: decoder)) }

    /// Encodes the text as a string.
    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
