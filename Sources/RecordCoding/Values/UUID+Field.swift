package import DataStoreCore
import UserProfileData
public import UserProfileDomain

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension UUID: RecordValueConvertible {
    /// The UUID as a string value in uppercase letters.
    package var recordValue: Value? { .string(uuidString) }

    /// Creates the UUID from a string value. Returns `nil` if the value is not a UUID.
    package init?(recordValue: Value) {
        guard let text = recordValue.string else { return nil }
        self.init(uuidString: text)
    }
}

extension UUID: FieldText {
    /// The UUID as a text operand in uppercase letters. The stored form of a UUID is the same text.
    public var operand: Operand { .text(uuidString) }

    /// Creates the UUID from a text operand. Returns `nil` if the operand is not the text of a UUID.
    public init?(operand: Operand) {
        guard case .text(let text) = operand else { return nil }
        self.init(uuidString: text)
    }
}
