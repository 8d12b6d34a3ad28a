/// A value that is fully represented by its text, such as a mail address or a date.
///
/// A conforming type declares ``text`` and ``init(_:)``. The text is its encoding, its description and its value in
/// queries. Implement ``FieldContent/operand`` yourself if equal values can have different texts.
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
    /// - Parameter text: The text, in the form of ``text``.
    /// - Throws: ``ValidationError`` with the violated rule.
    init(_ text: String) throws(ValidationError)
}

extension TextValue {
    /// The value as text.
    public var description: String { text }

    /// The value as text, compared by Unicode scalar values.
    public var operand: Operand { .text(text) }

    /// Decodes a string and validates it.
    public init(from decoder: any Decoder) throws { try self.init(String(from: decoder)) }

    /// Encodes the text as a string.
    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
