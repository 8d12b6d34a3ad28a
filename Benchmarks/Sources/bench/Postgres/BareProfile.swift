/// A profile that is decoded by hand from a row: the id in the key, and two texts in the CBOR of the record. Its
/// checksum is not verified, and its texts are not validated.
struct BareProfile {
    let id: String
    private(set) var fields: [(name: String, text: String)] = []

    init(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) throws {
        let prefixCount = 6  // "users" and NUL
        id = String(decoding: key[prefixCount...], as: UTF8.self)
        // A version byte and a checksum precede the CBOR.
        var position = 5
        guard value.count > position, value[position] & 0xE0 == 0xA0 else { throw Failure("a record is no map") }
        let count = Int(value[position] & 0x1F)
        position += 1
        for _ in 0..<count {
            let name = try Self.text(value, &position)
            fields.append((name, try Self.text(value, &position)))
        }
    }

    private static func text(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) throws -> String {
        guard position + 1 < bytes.count, bytes[position] & 0xE0 == 0x60 else { throw Failure("a field is no text") }
        var count = Int(bytes[position] & 0x1F)
        position += 1
        if count == 24 {
            count = Int(bytes[position])
            position += 1
        }
        guard count < 256, position + count <= bytes.count else { throw Failure("a text is too long") }
        defer { position += count }
        return String(decoding: bytes[position..<position + count], as: UTF8.self)
    }
}
