// Decoding values at positions.
extension EncodedRecord {
    /// Decodes the value at a position, and moves the position past it.
    package func value(at position: inout Int) throws(DataStoreError) -> Value {
        try decode(at: &position) { (bytes, offset) throws(CBORDecoder.Failure) in
            try CBORDecoder.value(in: bytes, at: &offset, depth: 1)
        }
    }

    /// Decodes the value at a position.
    package func value(at position: Int) throws(DataStoreError) -> Value {
        var position = position
        return try value(at: &position)
    }

    /// Decodes the integer at a position, and moves the position past it. Returns `nil` if the value is not an integer.
    package func integer(at position: inout Int) throws(DataStoreError) -> Int64? {
        try decode(at: &position, CBORDecoder.integerIfPresent)
    }

    /// Decodes the real at a position, and moves the position past it. Returns `nil` if the value is not a real.
    package func real(at position: inout Int) throws(DataStoreError) -> Double? {
        try decode(at: &position, CBORDecoder.realIfPresent)
    }

    /// Decodes the date at a position, and moves the position past it. Returns `nil` if the value is not a date.
    package func date(at position: inout Int) throws(DataStoreError) -> Timestamp? {
        try decode(at: &position, CBORDecoder.dateIfPresent)
    }

    /// Passes the bytes of the text at a position to a closure, and moves the position past the text. Returns `nil` if
    /// the value is not a text. The bytes are not validated.
    @inline(__always)
    package func withText<Result>(
        at position: inout Int, _ body: (Span<UInt8>) -> Result?
    ) throws(DataStoreError) -> Result? {
        guard let text = try textRange(at: position) else { return nil }
        position = text.upperBound
        return body(unsafe bytes.span.extracting(text))
    }

    /// Returns the range of the bytes of a text, or `nil` if the value at a position is not a text.
    @inline(__always)
    private func textRange(at position: Int) throws(DataStoreError) -> Range<Int>? {
        if let text = CBORDecoder.shortText(in: unsafe bytes.span, at: position) { return text }
        return try longTextRange(at: position)
    }

    @inline(never)
    private func longTextRange(at position: Int) throws(DataStoreError) -> Range<Int>? {
        var start = position
        return try enter(.text, at: &start).map { start..<(start + $0) }
    }

    /// Decodes the text at a position and moves the position past it. Returns `nil` if the value is not a valid text.
    package func text(at position: inout Int) throws(DataStoreError) -> String? {
        try withText(at: &position) { String(utf8: $0) }
    }

    /// Returns the ranges of the sealed value at a position and of its bytes, or `nil` if the value is not sealed.
    package func sealedValue(at position: Int) throws(DataStoreError) -> (value: Range<Int>, bytes: Range<Int>)? {
        var end = position
        let sealed = try decode(at: &end) { (bytes, offset) throws(CBORDecoder.Failure) -> Range<Int>? in
            let (major, info) = try CBORDecoder.initialByte(in: bytes, at: &offset)
            guard major == .tag, try CBORDecoder.argument(info, in: bytes, at: &offset) == CBORTag.sealed else {
                return nil
            }
            return try CBORDecoder.sealedBytes(in: bytes, at: &offset)
        }
        return sealed.map { (position..<end, $0) }
    }

    /// Returns whether the value at a position begins with the given bytes.
    package func hasBytes(_ value: [UInt8], at position: Int) -> Bool {
        let bytes = unsafe bytes.span
        guard bytes.count - position >= value.count, bytes[position] == value[0] else { return false }
        return bytes.extracting(position..<(position + value.count)).hasSameBytes(as: value.span)
    }

    /// Returns whether the value at a position has the same bytes as a value of another record. No encoded value begins
    /// with the bytes of another one.
    func hasSameValue(
        at position: Int, asAt otherPosition: Int, in other: EncodedRecord
    ) throws(DataStoreError) -> Bool {
        var end = position
        try skip(at: &end)
        let own = unsafe bytes.span.extracting(position..<end)
        let rest = unsafe other.bytes.span.extracting(droppingFirst: otherPosition)
        return rest.count >= own.count && own.hasSameBytes(as: rest.extracting(first: own.count))
    }

    /// Returns the number of elements of the array at a position, and moves the position to the first element. Returns
    /// `nil` if the value is not an array.
    package func enterArray(at position: inout Int) throws(DataStoreError) -> Int? { try enter(.array, at: &position) }

    /// Returns the number of bytes, elements or fields of the value at a position, and moves the position to the first
    /// one. Returns `nil` if the value has another major type.
    @inline(__always)
    func enter(_ major: CBORMajor, at position: inout Int) throws(DataStoreError) -> Int? {
        try decode(at: &position) { (bytes, offset) throws(CBORDecoder.Failure) in
            try CBORDecoder.count(of: major, in: bytes, at: &offset)
        }
    }

    /// Moves a position past a value without decoding the value.
    package func skip(at position: inout Int) throws(DataStoreError) {
        try decode(at: &position, CBORDecoder.skipValue)
    }

    /// Decodes the record.
    package func record() throws(DataStoreError) -> Record {
        try Record(cbor: unsafe bytes.span)
    }

    @inline(__always)
    private func decode<Result>(
        at position: inout Int, _ read: (Span<UInt8>, inout Int) throws(CBORDecoder.Failure) -> Result
    ) throws(DataStoreError) -> Result {
        do {
            return try read(unsafe bytes.span, &position)
        } catch {
            throw .noRecord(error)
        }
    }
}

// The bytes of the record.
extension EncodedRecord {
    /// The number of bytes of the record.
    package var byteCount: Int { unsafe bytes.count }

    /// Appends the bytes in a range of the record to an array.
    package func append(_ range: Range<Int>, to copy: inout [UInt8]) {
        copy.append(unsafe bytes.span.extracting(range))
    }

    /// Appends the bytes of the record to an output, which must have room for them.
    package func copy(to output: inout OutputSpan<UInt8>) {
        CBOREncoder.append(unsafe bytes.span, &output)
    }

    /// Returns a copy of the bytes in a range of the record.
    package func copiedBytes(in range: Range<Int>) -> [UInt8] { Array(unsafe bytes.span.extracting(range)) }

    /// A copy of the bytes of the record.
    var copiedBytes: [UInt8] { Array(unsafe bytes.span) }

    /// Returns whether the record has the given bytes.
    func hasBytes(_ other: [UInt8]) -> Bool { unsafe bytes.span.hasSameBytes(as: other.span) }
}
