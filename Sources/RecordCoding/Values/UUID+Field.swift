public import UserProfileDomain

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension UUID: FieldText {
    /// The text of the UUID in uppercase letters, which is also the stored text, as an operand.
    public var operand: Operand { .text(uuidString) }

    /// Creates the UUID from a text operand. Returns `nil` if the operand is not the text of a UUID.
    public init?(operand: Operand) {
        guard case .text(let text) = operand else { return nil }
        self.init(uuidString: text)
    }
}
