package import DataStoreCore
import UserProfileData

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
