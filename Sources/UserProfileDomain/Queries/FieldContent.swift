/// A type whose values queries can compare. Conform your own type to it to use the type in a field.
///
/// Equal values must return equal operands. If the type is `Comparable`, its operands must sort in the same order as
/// its values.
public protocol FieldContent: Sendable {
    /// The value in the form that queries compare.
    var operand: Operand { get }
}

/// A type of text values that queries can search for a prefix or a substring.
public protocol FieldText: FieldContent {}

extension String: FieldText {
    /// The text, compared by Unicode scalar values. Canonically equivalent texts differ, although `String` treats them
    /// as equal.
    public var operand: Operand { .text(self) }
}

extension Int64: FieldContent {
    /// The number.
    public var operand: Operand { .integer(self) }
}

extension Int: FieldContent {
    /// The number.
    public var operand: Operand { .integer(Int64(self)) }
}

extension FieldContent where Self: RawRepresentable, RawValue: FieldContent {
    /// The raw value, which represents an enum in queries.
    public var operand: Operand { rawValue.operand }
}

extension Double: FieldContent {
    /// The number.
    public var operand: Operand { .real(self) }
}

extension Bool: FieldContent {
    /// The value.
    public var operand: Operand { .bool(self) }
}

extension UserID: FieldText {}

extension CityCode: FieldText {}

extension MailAddress: FieldText {
    /// The address with its domain in lower case (ASCII), so that equal addresses have equal operands.
    public var operand: Operand { .text(MailAddress.comparable(text)) }

    /// Returns a mail address, or a search text for one, in the form that queries compare: uppercase ASCII letters
    /// after the last `@` are lowercased.
    ///
    /// - Parameter text: An address or a part of one.
    /// - Returns: The converted text; a text without `@` is unchanged.
    package static func comparable(_ text: String) -> String {
        // A query calls this for each record that it reads, and nearly all addresses are in lower case already.
        guard text.hasCapitalAfterLastAt, let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text }
        return text[..<at] + text[at...].asciiLowercased
    }
}

extension String {
    /// Whether an uppercase ASCII letter follows the last `@`.
    fileprivate var hasCapitalAfterLastAt: Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            let domain = utf8.lastIndex(of: UInt8(ascii: "@")).map { utf8[$0...] }
            return domain?.contains { $0 != $0.asciiLowercased } ?? false
        }
        let bytes = utf8.span
        // Search for the last @ only if the text has an uppercase letter.
        var hasCapital = false
        for index in bytes.indices { hasCapital = hasCapital || bytes[index] &- UInt8(ascii: "A") < 26 }
        guard hasCapital, let at = bytes.indices.last(where: { bytes[$0] == UInt8(ascii: "@") }) else { return false }
        return (at..<bytes.count).contains { bytes[$0] &- UInt8(ascii: "A") < 26 }
    }
}

extension StringProtocol {
    /// The text with its uppercase ASCII letters lowercased.
    fileprivate var asciiLowercased: String { String(decoding: utf8.lazy.map(\.asciiLowercased), as: UTF8.self) }
}

extension Temperature: FieldContent {
    /// Degrees Celsius.
    public var operand: Operand { .real(celsius) }
}

extension Instant: FieldContent {
    /// The point in time.
    public var operand: Operand { .instant(self) }
}
