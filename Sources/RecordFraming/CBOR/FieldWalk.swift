import DataStoreCore

/// A position among the fields of an encoded record. The fields are ordered by the length of their names.
///
/// A search for a field continues at the position if its name is longer than the name before the position, or is the
/// name at the position. Otherwise the search starts again at the first field.
struct FieldWalk {
    /// The offset of the next field, in bytes, or 0 if the head of the record has not been read.
    private var offset = 0
    /// The number of fields from ``offset`` to the end of the record.
    private var remainingCount = 0
    /// The length of the name of the field before the position, in bytes, or 0 at the first field.
    private var lastNameCount = 0

    /// Creates a position at the first field of an encoded record.
    init(_ bytes: Span<UInt8>) {
        // The head of a record with fewer than 24 fields is one byte. A search reads any other head.
        guard !bytes.isEmpty, bytes[0] &- CBORMajor.map.initialByte < 24 else { return }
        (offset, remainingCount) = (1, Int(bytes[0] & 0x1F))
    }

    /// Returns the value of a field, or `nil` if the record has no such field. The fields after it are not decoded.
    mutating func value(of name: Span<UInt8>, in bytes: Span<UInt8>) throws(CBORDecoder.Failure) -> Value? {
        guard try find(name, in: bytes) else { return nil }
        guard let text = CBORDecoder.shortText(in: bytes, at: offset) else {
            return try CBORDecoder.value(in: bytes, at: &offset, depth: 1)
        }
        offset = text.lowerBound
        return .string(try CBORDecoder.text(UInt64(text.count), in: bytes, at: &offset))
    }

    /// Returns the range of the bytes of a field's text, or an empty range if the record has no such field. Returns
    /// `nil` if the value is empty, is not a string, or has more than 255 bytes. After the function has returned
    /// `nil`, do not use the position again.
    @inline(__always)
    mutating func shortText(of name: Span<UInt8>, in bytes: Span<UInt8>) throws(CBORDecoder.Failure) -> Range<Int>? {
        guard try find(name, in: bytes) else { return offset..<offset }
        guard let text = CBORDecoder.shortText(in: bytes, at: offset), !text.isEmpty else { return nil }
        offset = text.upperBound
        return text
    }

    /// Moves to the value of a field. If the record has no such field, moves to the next field with a longer name,
    /// or to the end of the record.
    ///
    /// - Returns: Whether the record has the field.
    @inline(__always)
    private mutating func find(_ name: Span<UInt8>, in bytes: Span<UInt8>) throws(CBORDecoder.Failure) -> Bool {
        // Most reads are of the next field.
        guard isAt(name, in: bytes) else {
            let isFound: Bool
            (self, isFound) = try searched(name, in: bytes)
            return isFound
        }
        (offset, remainingCount, lastNameCount) = (offset &+ 1 &+ name.count, remainingCount &- 1, name.count)
        return true
    }

    /// Returns whether the next field has the given name. For a name of 24 bytes or more, always returns `false`,
    /// because the function compares only names whose head is one byte.
    @inline(__always)
    private func isAt(_ name: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
        remainingCount > 0 && name.count < 24 && bytes.count &- offset > name.count
            && bytes[offset] == CBORMajor.text.initialByte | UInt8(truncatingIfNeeded: name.count)
            && bytes.extracting((offset &+ 1)..<(offset &+ 1 &+ name.count)).hasSameBytes(as: name)
    }

    /// Returns the position after a search, and whether the record has the field. This function is not inlined, so that
    /// ``find(_:in:)``, which usually finds the next field, stays short. It does not change the position in place, so
    /// that the caller can keep its position in registers.
    @inline(never)
    private func searched(
        _ name: Span<UInt8>, in bytes: Span<UInt8>
    ) throws(CBORDecoder.Failure) -> (FieldWalk, Bool) {
        var walk = self
        let isFound = try walk.search(name, in: bytes)
        return (walk, isFound)
    }

    /// Moves to the value of a field by comparing its name with each following field.
    private mutating func search(_ name: Span<UInt8>, in bytes: Span<UInt8>) throws(CBORDecoder.Failure) -> Bool {
        // Fields are ordered by the length of their names first, so a longer name is not before the position.
        if offset == 0 || name.count <= lastNameCount { try start(in: bytes) }
        while remainingCount > 0 {
            var value = offset
            let found = try CBORDecoder.name(in: bytes, at: &value)
            if found.count > name.count { return false }
            (offset, remainingCount, lastNameCount) = (value, remainingCount - 1, found.count)
            if found.count == name.count, bytes.extracting(found).hasSameBytes(as: name) { return true }
            if let text = CBORDecoder.shortText(in: bytes, at: offset) {
                offset = text.upperBound
            } else {
                try CBORDecoder.skip(in: bytes, at: &offset, depth: 1)
            }
        }
        return false
    }

    /// Moves to the first field.
    private mutating func start(in bytes: Span<UInt8>) throws(CBORDecoder.Failure) {
        offset = 0
        let (major, info) = try CBORDecoder.initialByte(in: bytes, at: &offset)
        guard major == .map else { throw CBORDecoder.Failure(rule: "not a map", offset: 0) }
        let count = try CBORDecoder.argument(info, in: bytes, at: &offset)
        (remainingCount, lastNameCount) = (try CBORDecoder.length(count, in: bytes, at: offset), 0)
    }
}
