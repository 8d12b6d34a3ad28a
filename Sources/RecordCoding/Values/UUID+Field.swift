import DataStoreCore
import UserProfileData
public import UserProfileDomain

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension UUID: StoredForm {
    /// The UUID as a string value in uppercase letters.
    var storedValue: Value? { .string(text) }

    /// Creates the UUID from a string value. Returns `nil` if the value is not a UUID.
    init?(storedValue: Value) {
        guard let text = storedValue.string else { return nil }
        self.init(text: text)
    }

    /// The offsets of the hyphens in the text of a UUID (RFC 9562, section 4).
    private static func isHyphen(_ offset: Int) -> Bool { offset == 8 || offset == 13 || offset == 18 || offset == 23 }

    // Foundation converts with the formatting functions of libc, which take ten times as long.
    fileprivate init?(text: String) {
        var (high, low): (UInt64, UInt64) = (0, 0)
        var offset = 0
        for byte in text.utf8 {
            if Self.isHyphen(offset) {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                let digit: UInt8
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
                case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
                case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
                default: return nil
                }
                (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(digit))
            }
            offset += 1
        }
        guard offset == 36 else { return nil }
        // Both types consist of the same 16 bytes.
        self.init(uuid: unsafe unsafeBitCast((high.bigEndian, low.bigEndian), to: uuid_t.self))
    }

    fileprivate var text: String {
        // Both types consist of the same 16 bytes.
        let (high, low) = unsafe unsafeBitCast(uuid, to: (UInt64, UInt64).self)
        var digits = (high.bigEndian, low.bigEndian)
        return unsafe String(unsafeUninitializedCapacity: 36) { buffer in
            // The loop initializes the 36 bytes that it reports.
            for offset in 0..<36 {
                if Self.isHyphen(offset) {
                    unsafe buffer[offset] = UInt8(ascii: "-")
                    continue
                }
                let digit = UInt8(digits.0 >> 60)
                unsafe buffer[offset] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
                digits = (digits.0 << 4 | digits.1 >> 60, digits.1 << 4)
            }
            return 36
        }
    }
}

extension UUID: FieldText {
    /// The UUID as a text operand in uppercase letters. The stored form of a UUID is the same text.
    public var operand: Operand { .text(text) }

    /// Creates the UUID from a text operand. Returns `nil` if the operand is not the text of a UUID.
    public init?(operand: Operand) {
        guard case .text(let text) = operand else { return nil }
        self.init(text: text)
    }
}
