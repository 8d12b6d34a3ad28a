#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension UUID: StoredContent, StoredForm {
    /// The UUID as a string value in uppercase letters.
    public var storedValue: Value? { .string(text) }

    /// Creates the UUID from a string value. Returns `nil` if the value is not a UUID.
    public init?(storedValue: Value) {
        guard let text = storedValue.string else { return nil }
        self.init(text: text)
    }

    /// Returns the content of a field, or `nil` if the field is missing or of another kind.
    public static func content(of name: String, in record: borrowing RecordView) throws(DataStoreError) -> UUID? {
        try record.withText(of: FieldName(name)) { UUID(utf8: $0) }
    }

    init(at position: inout Int, in record: EncodedRecord) throws(StoredForms.Failure) {
        let id = try StoredForms.Failure.store { () throws(DataStoreError) in
            try record.withText(at: &position) { UUID(utf8: $0) }
        }
        guard let id else { throw .mismatch }
        self = id
    }

    /// Creates a UUID from its text in UTF-8. Returns `nil` if the bytes are not the text of a UUID (RFC 9562,
    /// section 4). Upper and lower case are equivalent.
    @usableFromInline
    package init?(utf8 text: Span<UInt8>) {
        guard text.count == 36 else { return nil }
        let hyphens = text[8] ^ 0x2D | text[13] ^ 0x2D | text[18] ^ 0x2D | text[23] ^ 0x2D
        // The hexadecimal digits between the hyphens, eight at a time.
        let words = (
            text.prefix(at: 0, length: 8), text.prefix(at: 9, length: 4) | text.prefix(at: 14, length: 4) >> 32,
            text.prefix(at: 19, length: 4) | text.prefix(at: 24, length: 4) >> 32, text.prefix(at: 28, length: 8)
        )
        guard hyphens == 0, let first = UUID.number(hexadecimal: words.0),
            let second = UUID.number(hexadecimal: words.1), let third = UUID.number(hexadecimal: words.2),
            let fourth = UUID.number(hexadecimal: words.3)
        else { return nil }
        // Both types consist of the same 16 bytes.
        self.init(
            uuid: unsafe unsafeBitCast(
                ((first << 32 | second).bigEndian, (third << 32 | fourth).bigEndian), to: uuid_t.self))
    }

    /// Returns the number that eight hexadecimal digits in ASCII represent, or `nil` if a byte is no digit. The first
    /// digit is the highest byte. All bytes are converted at once, which takes a tenth of the time of a loop.
    private static func number(hexadecimal digits: UInt64) -> UInt64? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // For bytes below 128, the highest bit of each sum states whether the byte is at least the given character.
        func isAtLeast(_ character: UInt8, _ bytes: UInt64) -> UInt64 { bytes &+ ones &* UInt64(0x80 &- character) }
        let lowercase = digits | ones &* 0x20
        let decimal = isAtLeast(UInt8(ascii: "0"), digits) & ~isAtLeast(UInt8(ascii: "9") + 1, digits)
        let letter = isAtLeast(UInt8(ascii: "a"), lowercase) & ~isAtLeast(UInt8(ascii: "f") + 1, lowercase)
        let high = ones &* 0x80
        guard digits & high == 0, (decimal | letter) & high == high else { return nil }
        var number = (digits & (ones &* 0x0F)) &+ ((letter & high) >> 7) &* 9
        number = (number | number >> 4) & 0x00FF_00FF_00FF_00FF
        number = (number | number >> 8) & 0x0000_FFFF_0000_FFFF
        return (number | number >> 16) & 0xFFFF_FFFF
    }

    fileprivate init?(text: String) {
        guard let id = text.withBytes({ UUID(utf8: $0) }) else { return nil }
        self = id
    }

    fileprivate var text: String {
        // Both types consist of the same 16 bytes.
        let (high, low) = unsafe unsafeBitCast(uuid, to: (UInt64, UInt64).self)
        let (first, second) = (high.bigEndian, low.bigEndian)
        // The stores and the hyphens fill all of the 36 bytes.
        return unsafe String(unsafeUninitializedCapacity: 36) { bytes in
            let memory = UnsafeMutableRawBufferPointer(bytes)
            func store(_ digits: UInt64, at offset: Int) {
                unsafe memory.storeBytes(of: digits.bigEndian, toByteOffset: offset, as: UInt64.self)
            }
            func store(_ digits: UInt64, at left: Int, _ right: Int) {
                let (high, low) = (UInt32(truncatingIfNeeded: digits >> 32), UInt32(truncatingIfNeeded: digits))
                unsafe memory.storeBytes(of: high.bigEndian, toByteOffset: left, as: UInt32.self)
                unsafe memory.storeBytes(of: low.bigEndian, toByteOffset: right, as: UInt32.self)
            }
            store(UUID.hexadecimal(first >> 32), at: 0)
            store(UUID.hexadecimal(first & 0xFFFF_FFFF), at: 9, 14)
            store(UUID.hexadecimal(second >> 32), at: 19, 24)
            store(UUID.hexadecimal(second & 0xFFFF_FFFF), at: 28)
            let hyphen = UInt8(ascii: "-")
            unsafe (memory[8], memory[13], memory[18], memory[23]) = (hyphen, hyphen, hyphen, hyphen)
            return 36
        }
    }

    /// Returns eight hexadecimal digits in ASCII that represent a number of 32 bits. The first digit is the highest
    /// byte. It is the inverse of ``number(hexadecimal:)``.
    private static func hexadecimal(_ number: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var digits = (number | number << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = (digits &+ ones &* 6) >> 4 & ones
        return digits &+ ones &* UInt64(UInt8(ascii: "0")) &+ letters &* 7
    }
}

extension RecordMapping where Entity.ID == UUID {
    /// Returns the UUID as text in uppercase letters.
    public func text(of id: UUID) -> String { id.text }

    /// Creates the UUID from its text. Throws an error if the text is not a UUID.
    public func id(of text: String) throws -> UUID {
        guard let id = UUID(text: text) else { throw FieldError("id", "is not a UUID") }
        return id
    }

    /// Decodes an entity from a record under a key, whose UUID is read in place.
    @inlinable
    public func entity(of record: borrowing RecordView, idText: Span<UInt8>) throws -> Entity {
        guard let id = UUID(utf8: idText) else { throw FieldError("id", "is not a UUID") }
        return try entity(of: record, id: id)
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
