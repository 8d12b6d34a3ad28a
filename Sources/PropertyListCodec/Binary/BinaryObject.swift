/// An object of a binary property list: its kind and the range of its contents.
struct BinaryObject {
    enum Kind: Equatable {
        case null, no, yes
        /// A big-endian number of 1, 2, 4, 8 or 16 bytes. Only numbers of at least 8 bytes are signed.
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
        /// References to objects. A dictionary contains the references of all keys, followed by those of all values.
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
    /// The upper half of the first byte.
    let marker: UInt8
    /// The position of the first byte.
    let start: Int
    /// The range of the bytes of a number or text, or of the references of a container.
    let body: Range<Int>
}
