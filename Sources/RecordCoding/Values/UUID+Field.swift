public import UserProfileDomain

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension UUID: FieldText {
    /// The text in capital letters, which is the stored form.
    public var operand: Operand { .text(uuidString) }
}
