import DataStoreCore

extension CBORDecoder {
    /// Returns the value of one field of a record, or `nil` if the record has no such field. It skips earlier fields
    /// and does not read later ones.
    static func value(of name: String, in bytes: Span<UInt8>) throws(Failure) -> Value? {
        var offset = 0
        let (major, info) = try initialByte(in: bytes, at: &offset)
        guard major == .map else { throw Failure(rule: "not a map", offset: 0) }
        let count = try length(argument(info, in: bytes, at: &offset), in: bytes, at: offset)
        let nameCount = name.utf8.count
        for _ in 0..<count {
            let nameRange = try self.name(in: bytes, at: &offset)
            if nameRange.count == nameCount, bytes.extracting(nameRange).isText(name) {
                guard let text = shortText(in: bytes, at: offset) else {
                    return try value(in: bytes, at: &offset, depth: 1)
                }
                offset = text.lowerBound
                return .string(try self.text(UInt64(text.count), in: bytes, at: &offset))
            }
            // Fields are ordered by the length of their names first.
            if nameRange.count > nameCount { return nil }
            if let text = shortText(in: bytes, at: offset) {
                offset = text.upperBound
            } else {
                try skip(in: bytes, at: &offset, depth: 1)
            }
        }
        return nil
    }

    /// Returns the range of the bytes of a text of up to 255 bytes. Returns `nil` for any other value.
    ///
    /// Most values are such texts, for which this function is faster than general decoding.
    @inline(__always)
    private static func shortText(in bytes: Span<UInt8>, at offset: Int) -> Range<Int>? {
        guard offset &+ 1 < bytes.count else { return nil }
        let head = bytes[offset]
        let (start, count) =
            switch head {
            case CBORMajor.text.initialByte..<(CBORMajor.text.initialByte | 24):
                (offset &+ 1, Int(head & 0x1F))
            case CBORMajor.text.initialByte | 24 where bytes[offset &+ 1] >= 24:
                (offset &+ 2, Int(bytes[offset &+ 1]))
            default: (0, -1)
            }
        return count >= 0 && count <= bytes.count &- start ? start..<(start &+ count) : nil
    }

    /// Advances an offset past a value.
    private static func skip(in bytes: Span<UInt8>, at offset: inout Int, depth: Int) throws(Failure) {
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
        // A tag does not count as a level of nesting, and only dates have tags.
        case .tag: _ = try date(argument, in: bytes, at: &offset)
        case .array, .map:
            try checkDepth(depth + 1, at: offset)
            let count = try length(argument, in: bytes, at: offset)
            for _ in 0..<(major == .map ? 2 * count : count) { try skip(in: bytes, at: &offset, depth: depth + 1) }
        }
    }
}
