/// A CBOR major type (RFC 8949, section 3.1), which determines the kind of an item.
package enum CBORMajor: UInt8 {
    case unsigned, negative, bytes, text, array, map, tag, simple

    /// The major type of an item, given its first byte.
    @inline(__always)
    package init(of byte: UInt8) {
        self =
            switch byte >> 5 {
            case 0: .unsigned
            case 1: .negative
            case 2: .bytes
            case 3: .text
            case 4: .array
            case 5: .map
            case 6: .tag
            default: .simple
            }
    }

    /// The first byte of an item with this major type and the argument 0.
    var initialByte: UInt8 { rawValue << 5 }
}

/// The tags of encoded dates and sealed values, and the map keys of dates.
enum CBORTag {
    /// The tag of an epoch-based date and time (RFC 8949, section 3.4.2).
    static let epochTime: UInt64 = 1
    /// The tag of an extended time (RFC 9581, section 3).
    static let extendedTime: UInt64 = 1001
    /// The key of the seconds in an extended time.
    static let secondsKey: Int64 = 1
    /// The key of the nanoseconds in an extended time.
    static let nanosecondsKey: Int64 = -9
    /// The tag of the bytes of a sealed value, from the range of private use in this format.
    static let sealed: UInt64 = 54_762
}
