package import DataStoreCore
import UserProfileData

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Decimal: RecordValueConvertible {
    /// The digits as text, because a real would round them, or `nil` if this is not a number.
    package var recordValue: Value? {
        let digits = description
        return Decimal(string: digits) == self ? .string(digits) : nil
    }

    /// Creates the number from its digits, in exactly the form that ``recordValue`` has.
    package init?(recordValue: Value) {
        guard let digits = recordValue.string, let number = Decimal(string: digits), number.description == digits
        else { return nil }
        self = number
    }
}
