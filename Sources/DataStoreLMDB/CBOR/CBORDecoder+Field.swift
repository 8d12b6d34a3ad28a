import DataStoreCore

extension CBORDecoder {
    /// The value of one field of a record, or nil where it has none of that name. What comes before it is passed over,
    /// what comes after it is not looked at.
    static func value(of name: String, in bytes: Span<UInt8>) throws(Failure) -> Value? {
        var name = name
        // The bytes of the name are read during the call only.
        return try name.withUTF8 { name in
            Result { () throws(Failure) in try value(of: unsafe name.span, in: bytes) }
        }.get()
    }

    private static func value(of name: Span<UInt8>, in bytes: Span<UInt8>) throws(Failure) -> Value? {
        var offset = 0
        let (major, info) = try initialByte(in: bytes, at: &offset)
        guard major == .map else { throw Failure(rule: "it is not a map", offset: 0) }
        let count = try length(argument(info, in: bytes, at: &offset), in: bytes, at: offset)
        for _ in 0..<count {
            let place = try self.name(in: bytes, at: &offset)
            if place.count == name.count, isSame(place, name, in: bytes) {
                return try value(in: bytes, at: &offset, depth: 1)
            }
            // Names are in order, the shorter ones first.
            if place.count > name.count { return nil }
            try skip(in: bytes, at: &offset, depth: 1)
        }
        return nil
    }

    private static func isSame(_ place: Range<Int>, _ name: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
        for index in name.indices where bytes[place.lowerBound + index] != name[index] { return false }
        return true
    }

    /// Passes over a value.
    private static func skip(in bytes: Span<UInt8>, at offset: inout Int, depth: Int) throws(Failure) {
        let (major, info) = try initialByte(in: bytes, at: &offset)
        if major == .simple {
            // A real of two, four or eight bytes, or a value that is its own initial byte.
            if info >= 25 { _ = try bigEndian(1 << min(info - 24, 3), in: bytes, at: &offset) }
            return
        }
        let argument = try argument(info, in: bytes, at: &offset)
        switch major {
        case .unsigned, .negative, .simple: return
        case .bytes, .text: offset += try length(argument, in: bytes, at: offset)
        // No level of nesting, and nothing but dates has one.
        case .tag: _ = try date(argument, in: bytes, at: &offset)
        case .array, .map:
            try checkDepth(depth + 1, at: offset)
            let count = try length(argument, in: bytes, at: offset)
            for _ in 0..<(major == .map ? 2 * count : count) { try skip(in: bytes, at: &offset, depth: depth + 1) }
        }
    }
}
