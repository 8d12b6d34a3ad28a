extension CBORDecoder {
    /// Returns the range of the bytes of a string of at most 255 bytes, or `nil` for any other value. Most values are
    /// short strings, and a caller decodes them faster with this function.
    @inline(__always)
    static func shortText(in bytes: Span<UInt8>, at offset: Int) -> Range<Int>? {
        guard offset &+ 1 < bytes.count else { return nil }
        let head = bytes[offset] &- CBORMajor.text.initialByte
        // The head is one byte for texts of less than 24 bytes, and two bytes for longer ones.
        let (start, count) = head < 24 ? (offset &+ 1, head) : (offset &+ 2, bytes[offset &+ 1])
        guard head < 24 || head == 24 && count >= 24, Int(count) <= bytes.count &- start else { return nil }
        return start..<(start &+ Int(count))
    }

    /// Moves the offset past the value of a field or an element without decoding the value.
    static func skipValue(in bytes: Span<UInt8>, at offset: inout Int) throws(Failure) {
        try skip(1, in: bytes, at: &offset, depth: 1)
    }

    /// Returns the number of bytes, elements or fields of the value at an offset, and moves the offset past its head.
    /// Returns `nil` if the value has another major type.
    static func count(of major: CBORMajor, in bytes: Span<UInt8>, at offset: inout Int) throws(Failure) -> Int? {
        var next = offset
        let (found, info) = try initialByte(in: bytes, at: &next)
        guard found == major else { return nil }
        let argument = try argument(info, in: bytes, at: &next)
        offset = next
        return try length(argument, in: bytes, at: offset)
    }

    /// Moves the offset past several values without decoding them.
    private static func skip(
        _ count: Int, in bytes: Span<UInt8>, at offset: inout Int, depth: Int
    ) throws(Failure) {
        for _ in 0..<count {
            guard offset < bytes.count else { throw Failure(rule: "the record ends too early", offset: offset) }
            let byte = bytes[offset]
            if byte < 0x38 || byte >= CBORMajor.simple.initialByte, byte & 0x1F < 24 {
                // A small integer or a boolean.
                offset &+= 1
            } else if let text = shortText(in: bytes, at: offset) {
                offset = text.upperBound
            } else {
                try skipLong(in: bytes, at: &offset, depth: depth)
            }
        }
    }

    private static func skipLong(in bytes: Span<UInt8>, at offset: inout Int, depth: Int) throws(Failure) {
        let (major, info) = try initialByte(in: bytes, at: &offset)
        if major == .simple {
            // The value is a real of two, four or eight bytes, or consists of its initial byte.
            if info >= 25 { _ = try bigEndian(1 << min(info - 24, 3), in: bytes, at: &offset) }
            return
        }
        let argument = try argument(info, in: bytes, at: &offset)
        switch major {
        case .unsigned, .negative, .simple: return
        case .bytes, .text: offset += try length(argument, in: bytes, at: offset)
        // A tag does not count as a level of nesting.
        case .tag where argument == CBORTag.sealed: _ = try sealedBytes(in: bytes, at: &offset)
        case .tag: _ = try date(argument, in: bytes, at: &offset)
        case .array, .map:
            try checkDepth(depth + 1, at: offset)
            let count = try length(argument, in: bytes, at: offset)
            try skip(major == .map ? 2 * count : count, in: bytes, at: &offset, depth: depth + 1)
        }
    }
}
