/// What an entity's field may hold that queries compare.
///
/// Values that are equal have the same operand, and where the type is `Comparable` operands have its order.
public protocol FieldContent: Sendable {
    /// The value as queries compare it.
    var operand: Operand { get }
}

/// What can be asked for the text that it begins with or contains.
public protocol FieldText: FieldContent {}

extension String: FieldText {
    /// The text. (It compares by scalar values, so two spellings of a letter are different; `String` itself takes them
    /// for the same.)
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
    /// The raw value, as which an enum is kept.
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
    /// The address with the domain in lower case (ASCII): that is the same for equal addresses.
    public var operand: Operand { .text(MailAddress.comparable(text)) }

    /// Text that is, or is looked for in, a mail address as queries compare it: with capital ASCII letters after the
    /// last `@` made small.
    ///
    /// - Parameter text: an address, or a part of one.
    /// - Returns: the text; as it is where it has no `@`.
    package static func comparable(_ text: String) -> String {
        // Each record that a query looks at is asked, and nearly all have small letters only.
        guard text.hasCapitalAfterLastAt, let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text }
        return text[..<at] + text[at...].asciiLowercased
    }
}

extension String {
    /// Whether there is a capital ASCII letter after the last `@`.
    fileprivate var hasCapitalAfterLastAt: Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            let domain = utf8.lastIndex(of: UInt8(ascii: "@")).map { utf8[$0...] }
            return domain?.contains { $0 != $0.asciiLowercased } ?? false
        }
        let bytes = utf8.span
        // The last @ is looked for only where there is a capital somewhere.
        var hasCapital = false
        for index in bytes.indices { hasCapital = hasCapital || bytes[index] &- UInt8(ascii: "A") < 26 }
        guard hasCapital, let at = bytes.indices.last(where: { bytes[$0] == UInt8(ascii: "@") }) else { return false }
        return (at..<bytes.count).contains { bytes[$0] &- UInt8(ascii: "A") < 26 }
    }
}

extension StringProtocol {
    /// The text with capital ASCII letters made small.
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
