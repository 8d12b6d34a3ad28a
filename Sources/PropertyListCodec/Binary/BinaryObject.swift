/// One object of a binary property list: its kind, and the position of its contents.
struct BinaryObject {
    enum Kind: Equatable {
        case null, no, yes
        /// A big-endian number of 1, 2, 4, 8 or 16 bytes. Only numbers of at least 8 bytes are signed.
        case integer
        /// 4 or 8 bytes.
        case real
        /// Seconds since the start of 2001, 8 bytes.
        case date
        case data
        case ascii
        case utf16
        /// A reference in an archive.
        case uid
        /// References to objects; a dictionary first has those of its keys, then those of its values.
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
    /// The bytes of a number or text, or the references of a container.
    let body: Range<Int>
}
