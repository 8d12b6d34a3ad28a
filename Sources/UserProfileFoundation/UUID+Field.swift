public import Foundation
public import UserProfileDomain

extension UUID: FieldText {
    /// The text, in capital letters, as which it is kept.
    public var operand: Operand { .text(uuidString) }
}
