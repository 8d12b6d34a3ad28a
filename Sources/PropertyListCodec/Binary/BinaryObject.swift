/// One object of a binary property list: what its first bytes say, and where the rest is.
struct BinaryObject {
    enum Kind: Equatable {
        case null, no, yes
        /// A big-endian number of 1, 2, 4, 8 or 16 bytes; those of 8 bytes have a sign.
        case integer
        /// 4 or 8 bytes.
        case real
        /// Seconds since the start of 2001, 8 bytes.
        case date
        case data
        case ascii
        case utf16
        /// What an archive refers to its objects with.
        case uid
        /// References to objects; of a dictionary first those to the keys, then those to the values.
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
    /// Where it begins.
    let start: Int
    /// Where its contents are: the bytes of a number or text, the references of a container.
    let body: Range<Int>
}
