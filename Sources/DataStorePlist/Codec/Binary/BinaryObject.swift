/// An object of a binary property list: its kind and the range of its contents.
struct BinaryObject {
    enum Kind: Equatable {
        case null, no, yes
        /// A big-endian integer of 1, 2, 4, 8 or 16 bytes. It is signed only if it has at least 8 bytes.
        case integer
        /// A big-endian floating-point number of 4 or 8 bytes.
        case real
        /// The seconds since the start of 2001, as a floating-point number of 8 bytes.
        case date
        case data
        case ascii
        case utf16
        /// A reference in a keyed archive.
        case uid
        /// A container of references to objects. A dictionary contains the references of all keys, followed by those of
        /// all values.
        case array, orderedSet, set, dictionary

        var isContainer: Bool {
            switch self {
            case .array, .orderedSet, .set, .dictionary: true
            default: false
            }
        }

        var isText: Bool { self == .ascii || self == .utf16 }
    }

    let kind: Kind
    /// The upper half of the object's first byte, which encodes its kind.
    let marker: UInt8
    /// The position of the object's first byte in the file.
    let start: Int
    /// The range of the bytes of a number or text, or of the references of a container.
    let body: Range<Int>
}
