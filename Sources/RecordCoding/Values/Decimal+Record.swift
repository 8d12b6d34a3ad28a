#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Decimal: StoredContent, StoredForm {
    /// The decimal digits as a string value, because a real would round them. The value is `nil` if the decimal is not
    /// a number.
    public var storedValue: Value? {
        let digits = description
        return Decimal(string: digits) == self ? .string(digits) : nil
    }

    /// Creates the number from an integer or from a decimal text in any spelling, e.g. `120.0` or `1e-07`. Returns
    /// `nil` if the value is not a number or has more digits than a decimal can represent.
    public init?(storedValue: Value) {
        guard case .string(let text)? = ValueTransform.decimal(storedValue) else { return nil }
        self.init(operand: .text(text))
    }
}

extension Value {
    /// Returns the value in which a property of type `Decimal` is stored: its digits as a string.
    ///
    /// ```swift
    /// .convert("2026-11 price", of: "trips", "cents") { value in
    ///     guard case .integer(let cents) = value else { return value }
    ///     return .decimal(Decimal(cents) / 100)
    /// }
    /// ```
    ///
    /// - Parameter number: The decimal number.
    /// - Returns: The value. If the decimal is not a number, it is a NaN, which is not read as a decimal.
    public static func decimal(_ number: Decimal) -> Value { number.storedValue ?? .real(.nan) }
}

extension Decimal: FieldContent {
    /// The number as a text operand. The texts sort in the same order as the numbers. If the decimal is not a
    /// number, the text is empty and comes first.
    public var operand: Operand { .text(description.sortableDecimal ?? "") }

    /// Creates the number from its operand. Returns `nil` if no number has this operand.
    public init?(operand: Operand) {
        guard case .text(let text) = operand, let digits = text.decimalOfSortable,
            let number = Decimal(string: digits), number.description.sortableDecimal == text
        else { return nil }
        self = number
    }
}
