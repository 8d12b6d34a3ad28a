package import DataStoreCore

/// An encoded record whose fields are found and decoded in place. Decoders of entities, conditions and views use it.
///
/// One pass over the bytes finds the fields. It continues only as far as a caller asks, because a condition on a field
/// with a short name need not read the rest of the record. The position of a value is the offset of its first byte.
///
/// - Safety: `@safe` because the caller of ``begin(_:)`` calls ``end()`` before the bytes become invalid. Afterwards,
///   no function accesses these bytes. One thread at a time uses the object, and no function calls back while it
///   changes a property, so accesses to the properties do not overlap.
@safe
package final class EncodedRecord: RecordSource {
    /// A field that has been found.
    private struct Field {
        let name: Range<Int>
        let value: Int
    }

    // An access that is checked at run time takes as long as comparing a name.
    @exclusivity(unchecked) private var bytes = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The fields of the record, followed by the fields of nested records that are being decoded.
    @exclusivity(unchecked) private var found: [Field] = []
    /// The number of fields of the record that have been found.
    private var ownCount = 0
    /// The offset of the first field that has not been found, or 0 before the head of the record is read.
    private var rest = 0
    /// The number of fields that have not been found.
    private var restCount = 0

    /// Creates an object without a record.
    package init() {}

    /// Begins to read a record. Its bytes must be valid until ``end()`` is called.
    @usableFromInline
    package func begin(_ cbor: UnsafeBufferPointer<UInt8>) {
        unsafe bytes = cbor
        (ownCount, rest, restCount) = (0, 0, 0)
        unsafe found.removeAll(keepingCapacity: found.capacity <= 1024)
    }

    /// Ends reading the record. Its bytes may become invalid afterwards.
    @usableFromInline
    package func end() { unsafe bytes = UnsafeBufferPointer(start: nil, count: 0) }

    // MARK: Fields

    /// Finds all fields of the record.
    package func fields() throws(DataStoreError) -> Range<Int> {
        try search { (_) in false }
        return 0..<ownCount
    }

    /// Finds the fields of a nested record, or returns `nil` if the value is not a record. The fields stay available
    /// until ``forget(after:)`` is called.
    package func fields(at position: Int) throws(DataStoreError) -> Range<Int>? {
        if position == 0 { return try fields() }
        let bytes = unsafe bytes.span
        var offset = position
        do throws(CBORDecoder.Failure) {
            guard let count = try CBORDecoder.count(of: .map, in: bytes, at: &offset) else { return nil }
            let first = unsafe found.count
            var fields = taken()
            defer { unsafe found = fields }
            var last: Range<Int>?
            for _ in 0..<count {
                let field = try EncodedRecord.field(in: bytes, at: &offset, after: last)
                last = field.name
                fields.append(field)
            }
            return first..<fields.count
        } catch {
            throw RecordFrame.noRecord(error)
        }
    }

    /// The number of fields that have been found.
    package var foundCount: Int { unsafe found.count }

    /// Forgets the fields of nested records that were found after there were `count` fields.
    package func forget(after count: Int) {
        let count = max(count, ownCount)
        if unsafe found.count > count { unsafe found.removeLast(found.count - count) }
    }

    /// Returns the position of the value of a field in a range of found fields, or `nil` if no field has the name.
    package func position(of name: Span<UInt8>, in fields: Range<Int>) -> Int? {
        let bytes = unsafe bytes.span
        return unsafe found.withUnsafeBufferPointer { buffer in
            let found = unsafe buffer.span
            // Fields are ordered by the length of their names first. A binary search skips fields if there are many.
            var (low, high) = (fields.lowerBound, fields.upperBound)
            while high - low > 16 {
                let middle = (low + high) / 2
                let field = found[middle].name
                let isBefore =
                    field.count == name.count
                    ? bytes.extracting(field).isOrdered(before: name) : field.count < name.count
                if isBefore { low = middle + 1 } else { high = middle + 1 }
            }
            while low < high {
                let field = found[low].name
                if field.count > name.count { return nil }
                if field.count == name.count, bytes.extracting(field).hasSameBytes(as: name) { return found[low].value }
                low += 1
            }
            return nil
        }
    }

    /// Returns the position of the value of a field of the record, or `nil` if the record has no field with the name.
    package func position(of name: Span<UInt8>) throws(DataStoreError) -> Int? {
        if let position = position(of: name, in: 0..<ownCount) { return position }
        if let last = lastOwn, last.name.count > name.count { return nil }
        let bytes = unsafe bytes.span
        try search { field in
            field.count > name.count || field.count == name.count && bytes.extracting(field).hasSameBytes(as: name)
        }
        guard let last = lastOwn, last.name.count == name.count,
            bytes.extracting(last.name).hasSameBytes(as: name)
        else { return nil }
        return last.value
    }

    /// The last field of the record that has been found.
    private var lastOwn: Field? { ownCount == 0 ? nil : unsafe found[ownCount - 1] }

    /// Returns the name of a found field. Returns `nil` if the name is not UTF-8.
    package func name(of field: Int) -> String? { String(utf8: unsafe bytes.span.extracting(found[field].name)) }

    /// Finds the next fields of the record, up to the first one whose name is wanted. An error leaves the offset at the
    /// field that caused it, so another search throws it again.
    @inline(__always)
    private func search(_ isWanted: (Range<Int>) -> Bool) throws(DataStoreError) {
        let bytes = unsafe bytes.span
        var (offset, count) = (rest, restCount)
        // All fields of the record are found before those of nested records.
        guard offset == 0 || count > 0 || offset != bytes.count else { return }
        var fields = taken()
        defer { unsafe (found, ownCount, rest, restCount) = (fields, fields.count, offset, count) }
        do throws(CBORDecoder.Failure) {
            var next = offset
            if offset == 0 {
                guard let all = try CBORDecoder.count(of: .map, in: bytes, at: &next) else {
                    throw CBORDecoder.Failure(rule: "not a map", offset: 0)
                }
                (offset, count) = (next, all)
            }
            while count > 0 {
                let field = try EncodedRecord.field(in: bytes, at: &next, after: fields.last?.name)
                fields.append(field)
                (offset, count) = (next, count &- 1)
                if isWanted(field.name) { break }
            }
            guard count > 0 || offset == bytes.count else {
                throw CBORDecoder.Failure(rule: "bytes follow the end of the record", offset: offset)
            }
        } catch {
            throw RecordFrame.noRecord(error)
        }
    }

    /// Returns the found fields, which the caller changes and stores again. An access to a property is checked at run
    /// time, which takes as long as finding a field.
    private func taken() -> [Field] {
        var fields: [Field] = []
        unsafe swap(&fields, &found)
        return fields
    }

    /// Returns the field at an offset, and moves the offset past it.
    @inline(__always)
    private static func field(
        in bytes: Span<UInt8>, at offset: inout Int, after last: Range<Int>?
    ) throws(CBORDecoder.Failure) -> Field {
        let start = offset
        let name = try CBORDecoder.name(in: bytes, at: &offset)
        let isInOrder = last.map { CBORDecoder.precedes($0, name, in: bytes) } ?? !name.isEmpty
        guard isInOrder else {
            throw CBORDecoder.Failure(rule: "keys are not unique and in order", offset: start)
        }
        let value = offset
        try CBORDecoder.skipValue(in: bytes, at: &offset)
        return Field(name: name, value: value)
    }

    // MARK: Values

    /// Decodes the value at a position, and moves the position past it.
    package func value(at position: inout Int) throws(DataStoreError) -> Value {
        do throws(CBORDecoder.Failure) {
            return try CBORDecoder.value(in: unsafe bytes.span, at: &position, depth: 1)
        } catch {
            throw RecordFrame.noRecord(error)
        }
    }

    /// Decodes the value at a position.
    package func value(at position: Int) throws(DataStoreError) -> Value {
        var position = position
        return try value(at: &position)
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
    private func textRange(at position: Int) throws(DataStoreError) -> Range<Int>? {
        let bytes = unsafe bytes.span
        if let text = CBORDecoder.shortText(in: bytes, at: position) { return text }
        var offset = position
        do throws(CBORDecoder.Failure) {
            guard let count = try CBORDecoder.count(of: .text, in: bytes, at: &offset) else { return nil }
            return offset..<(offset + count)
        } catch {
            throw RecordFrame.noRecord(error)
        }
    }

    /// Decodes the text at a position and moves the position past it. Returns `nil` if the value is not a valid text.
    package func text(at position: inout Int) throws(DataStoreError) -> String? {
        try withText(at: &position) { String(utf8: $0) }
    }

    /// Returns whether the value at a position begins with the given bytes.
    package func hasBytes(_ value: [UInt8], at position: Int) -> Bool {
        let bytes = unsafe bytes.span
        guard bytes.count - position >= value.count, bytes[position] == value[0] else { return false }
        return bytes.extracting(position..<(position + value.count)).hasSameBytes(as: value.span)
    }

    /// Returns the number of elements of the array at a position, and moves the position to the first element. Returns
    /// `nil` if the value is not an array.
    package func enterArray(at position: inout Int) throws(DataStoreError) -> Int? {
        do throws(CBORDecoder.Failure) {
            return try CBORDecoder.count(of: .array, in: unsafe bytes.span, at: &position)
        } catch {
            throw RecordFrame.noRecord(error)
        }
    }

    /// Moves a position past a value without decoding the value.
    package func skip(at position: inout Int) throws(DataStoreError) {
        do throws(CBORDecoder.Failure) {
            try CBORDecoder.skipValue(in: unsafe bytes.span, at: &position)
        } catch {
            throw RecordFrame.noRecord(error)
        }
    }

    // MARK: Record source

    package func value(of name: String) throws(DataStoreError) -> Value? {
        let found = try name.withBytes { (name) throws(DataStoreError) in try position(of: name) }
        guard let position = found else { return nil }
        var next = position
        if let text = try text(at: &next) { return .string(text) }
        return try value(at: position)
    }

    package func readText(of name: String, _ body: (Span<UInt8>) -> Void) throws(DataStoreError) {
        let found = try name.withBytes { (name) throws(DataStoreError) in try position(of: name) }
        guard var position = found else { return }
        _ = try withText(at: &position) { (text) -> Void? in body(text) }
    }

    package func record() throws(DataStoreError) -> Record {
        do throws(CBORDecoder.Failure) {
            return try CBORDecoder.record(in: unsafe bytes.span)
        } catch {
            throw RecordFrame.noRecord(error)
        }
    }
}

extension RecordView {
    /// Passes the encoded form of the record to a closure. A record that a store keeps decoded is encoded first.
    package func withEncoded<Result>(_ body: (EncodedRecord) throws -> Result) throws -> Result {
        if let encoded = source as? EncodedRecord { return try body(encoded) }
        return try record().withEncoded(body)
    }
}

extension Record {
    /// Encodes the record and passes the encoded form to a closure.
    package func withEncoded<Result, Failure>(
        _ body: (EncodedRecord) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let encoded = EncodedRecord()
        let bytes = CBOREncoder.bytes(of: self)
        return try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
            unsafe encoded.begin(buffer)
            // The bytes are valid only within this closure.
            defer { encoded.end() }
            return try body(encoded)
        }
    }
}
