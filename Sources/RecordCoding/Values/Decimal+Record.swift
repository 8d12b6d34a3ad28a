package import DataStoreCore
import DataStoreQueries
import UserProfileData
public import UserProfileDomain

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Decimal: RecordValueConvertible {
    /// The decimal digits as a string value, because a real would round them. The value is `nil` if the decimal is not
    /// a number.
    package var recordValue: Value? {
        let digits = description
        return Decimal(string: digits) == self ? .string(digits) : nil
    }

    /// Creates the number from decimal digits. Returns `nil` if the text does not have exactly the form of
    /// ``recordValue``.
    package init?(recordValue: Value) {
        guard let digits = recordValue.string, let number = Decimal(string: digits), number.description == digits
        else { return nil }
        self = number
    }
}

extension Decimal: FieldContent {
    /// The number as a text operand. The texts sort in the same order as the numbers. If the decimal is not a
    /// number, the text is empty and comes first.
    public var operand: Operand { .text(DecimalText.sortable(description) ?? "") }

    /// Creates the number from its operand. Returns `nil` if no number has this operand.
    public init?(operand: Operand) {
        guard case .text(let text) = operand, let digits = DecimalText.number(text) else { return nil }
        self.init(string: digits)
    }
}
