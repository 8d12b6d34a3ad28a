/// A CBOR major type (RFC 8949, section 3.1), which determines the kind of an item.
enum CBORMajor: UInt8 {
    case unsigned, negative, bytes, text, array, map, tag, simple

    /// The first byte of an item with this major type and the argument 0.
    var initialByte: UInt8 { rawValue << 5 }
}

/// The tags and map keys of encoded dates.
enum CBORTag {
    /// The tag of an epoch-based date and time (RFC 8949, section 3.4.2).
    static let epochTime: UInt64 = 1
    /// The tag of an extended time (RFC 9581, section 3).
    static let extendedTime: UInt64 = 1001
    /// The key of the seconds in an extended time.
    static let secondsKey: Int64 = 1
    /// The key of the nanoseconds in an extended time.
    static let nanosecondsKey: Int64 = -9
}
