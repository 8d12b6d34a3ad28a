extension CBORDecoder {
    /// Returns the range of the bytes of a string of at most 255 bytes, or `nil` for any other value. Most values are
    /// short strings, and a caller decodes them faster with this function.
    @inline(__always)
    static func shortText(in bytes: Span<UInt8>, at offset: Int) -> Range<Int>? {
        guard offset &+ 1 < bytes.count else { return nil }
        // Both bytes are in the span.
        let head = unsafe bytes[unchecked: offset] &- CBORMajor.text.initialByte
        // The head is one byte for texts of less than 24 bytes, and two bytes for longer ones.
        let (start, count) = head < 24 ? (offset &+ 1, head) : (offset &+ 2, unsafe bytes[unchecked: offset &+ 1])
        let end = start &+ Int(count)
        guard head < 24 || head == 24 && count >= 24, end <= bytes.count else { return nil }
        return unsafe Range(uncheckedBounds: (start, end))
    }

    /// Returns the number of a field's name, see ``FieldName``, and the end of the name. Returns `nil` if the name has
    /// 24 bytes or more, or the record ends soon.
    @inline(__always)
    static func shortName(in bytes: Span<UInt8>, at offset: Int) -> (order: UInt64, end: Int)? {
        guard bytes.count &- offset >= 8 else { return nil }
        // The load ends within the span. The first byte becomes the number of bytes.
        let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
        let order = UInt64(bigEndian: word) &- UInt64(CBORMajor.text.initialByte) << 56
        let count = order >> 56
        let end = offset &+ 1 &+ Int(count)
        guard order < 24 << 56, end <= bytes.count else { return nil }
        // Bytes after a name of less than seven bytes are not part of the number.
        return (count < 7 ? order & ~(UInt64.max &>> (8 &+ 8 &* count)) : order, end)
    }

    /// Returns the range of a field's name and its number.
    @inline(__always)
    static func fieldName(in bytes: Span<UInt8>, at offset: Int) throws(Failure) -> (Range<Int>, order: UInt64) {
        if let (order, end) = shortName(in: bytes, at: offset) {
            return (unsafe Range(uncheckedBounds: (offset &+ 1, end)), order)
        }
        var next = offset
        let name = try name(in: bytes, at: &next)
        return (name, FieldName.order(of: bytes.extracting(name)))
    }

    /// Moves the offset past the value of a field or an element without decoding the value.
    @inline(__always)
    static func skipValue(in bytes: Span<UInt8>, at offset: inout Int) throws(Failure) {
        guard let end = endOfShortValue(in: bytes, at: offset) else {
            return try skipLong(in: bytes, at: &offset, depth: 1)
        }
        offset = end
    }

    /// Returns the end of a short value, or of an array or a record of at most 23 short elements or fields. Returns
    /// `nil` for any other value.
    @inline(__always)
    static func endOfFlatValue(in bytes: Span<UInt8>, at offset: Int) -> Int? {
        if let end = endOfShortValue(in: bytes, at: offset) { return end }
        let end = endOfFlatContainer(in: bytes, at: offset)
        return end > 0 ? end : nil
    }

    /// Returns the end of an array or a record of at most 23 short elements or fields, or 0 for any other value.
    // It is not inlined, so that the loop over the fields keeps its variables in registers.
    @inline(never)
    private static func endOfFlatContainer(in bytes: Span<UInt8>, at offset: Int) -> Int {
        guard offset < bytes.count else { return 0 }
        // The offset is in the span.
        let head = unsafe bytes[unchecked: offset]
        guard head & 0xC0 == CBORMajor.array.initialByte, head & 0x1F < 24 else { return 0 }
        var end = offset &+ 1
        var left = CBORMajor(of: head) == .map ? 2 &* (head & 0x1F) : head & 0x1F
        while left > 0 {
            guard let next = endOfShortValue(in: bytes, at: end) else { return 0 }
            (end, left) = (next, left &- 1)
        }
        return end
    }

    /// Returns the end of a boolean, a real, a short text, or an integer or a date in whole seconds of at most four
    /// bytes, or `nil` for any other value.
    @inline(__always)
    static func endOfShortValue(in bytes: Span<UInt8>, at offset: Int) -> Int? {
        guard offset < bytes.count else { return nil }
        // The offset is in the span.
        var head = unsafe bytes[unchecked: offset]
        var next = offset &+ 1
        if head &- CBORMajor.text.initialByte <= 24 { return shortText(in: bytes, at: offset)?.upperBound }
        // A value of one byte.
        if head & 0x1F < 24, head < 0x38 || head >= CBORMajor.simple.initialByte { return next }
        if head >= 0xF9 {
            let end = next &+ 1 &<< Int(head & 7)
            return head < 0xFC && end <= bytes.count ? end : nil
        }
        // A date in whole seconds.
        if head == 0xC1, next < bytes.count { (head, next) = (unsafe bytes[unchecked: next], next &+ 1) }
        return 0x18...0x1A ~= head & ~0x20 ? endOfInteger(head, in: bytes, at: next) : nil
    }

    /// Returns the end of the bytes of an integer after its initial byte, or `nil` if it has eight bytes, is not in its
    /// shortest form, or the record ends soon.
    @inline(__always)
    private static func endOfInteger(_ head: UInt8, in bytes: Span<UInt8>, at offset: Int) -> Int? {
        guard bytes.count &- offset >= 8 else { return nil }
        let size = 1 &<< Int(head & 3)
        // The load ends within the span.
        let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
        let number = UInt64(bigEndian: word) &>> UInt64(64 &- 8 &* size)
        let least: UInt64 = size == 1 ? 24 : 1 &<< UInt64(4 &* size)
        return number >= least ? offset &+ size : nil
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
            if let end = endOfShortValue(in: bytes, at: offset) {
                offset = end
            } else {
                try skipLong(in: bytes, at: &offset, depth: depth)
            }
        }
    }

    /// Moves the offset past any value without decoding it.
    static func skipLong(in bytes: Span<UInt8>, at offset: inout Int, depth: Int) throws(Failure) {
        let (major, info) = try initialByte(in: bytes, at: &offset)
        if major == .simple {
            // The value is a real of two, four or eight bytes, or consists of its initial byte.
            if info >= 25 { offset += try length(1 << UInt64(min(info - 24, 3)), in: bytes, at: offset) }
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
