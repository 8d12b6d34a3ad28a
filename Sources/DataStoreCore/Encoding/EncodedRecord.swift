/// An encoded record whose fields are found and decoded in place. Decoders of entities, conditions and views use it.
///
/// One pass over the bytes finds the fields. It continues only as far as a caller asks, because a condition on a field
/// with a short name need not read the rest of the record. The position of a value is the offset of its first byte.
///
/// - Safety: `@safe` because the caller of ``begin(_:)`` calls ``end()`` before the bytes become invalid. Afterwards,
///   no function accesses these bytes. Bytes that the object has copied live as long as the object. One thread at a
///   time uses the object, and no function calls back while it changes a property, so accesses to the properties do
///   not overlap.
@safe
package final class EncodedRecord {
    /// A field that has been found.
    fileprivate struct Field {
        /// The first bytes of the name. Nearly all comparisons of names end with these.
        let prefix: UInt64
        /// The offset of the name.
        let name: Int
        /// The number of bytes of the name.
        let count: Int
        /// The position of the value.
        let value: Int

        var nameRange: Range<Int> { name..<(name &+ count) }

        /// Whether the name comes before all names with the given length and first bytes.
        @inline(__always)
        func isBefore(_ length: Int, _ prefix: UInt64) -> Bool {
            count == length ? self.prefix < prefix : count < length
        }

        /// Whether the name comes after all names with the given length and first bytes.
        func isAfter(_ length: Int, _ prefix: UInt64) -> Bool {
            count == length ? self.prefix > prefix : count > length
        }
    }

    // No access to a property calls back, so the compiler does not check accesses at run time.
    private(set) var bytes = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// Memory for the bytes, if the object has copied them.
    private let copy: UnsafeMutableBufferPointer<UInt8>?
    /// Memory for `capacity` fields. The first `count` are initialized: the fields of the record, followed by the
    /// fields of nested records that are being decoded.
    private var found: UnsafeMutablePointer<Field>
    private var capacity = EncodedRecord.usualCapacity
    /// The number of fields that have been found.
    private var count = 0
    /// The number of fields of the record that have been found.
    private var ownCount = 0
    /// The offset of the first field that has not been found, or 0 before the head of the record is read.
    private var rest = 0
    /// The number of fields that have not been found.
    private var restCount = 0

    private static let usualCapacity = 32
    /// The capacity of an object that reads one record, for which more memory would take longer to allocate.
    private static let leastCapacity = 8

    /// Creates an object without a record.
    package init() {
        unsafe found = .allocate(capacity: EncodedRecord.usualCapacity)
        unsafe copy = nil
    }

    /// Creates an object with a copy of an encoded record.
    package init(_ cbor: [UInt8]) {
        unsafe found = .allocate(capacity: EncodedRecord.leastCapacity)
        capacity = EncodedRecord.leastCapacity
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: cbor.count)
        _ = unsafe copy.initialize(from: cbor)
        unsafe self.copy = copy
        unsafe bytes = UnsafeBufferPointer(copy)
    }

    deinit {
        unsafe found.deallocate()
        unsafe copy?.deallocate()
    }

    /// Begins to read a record. Its bytes must be valid until ``end()`` is called.
    package func begin(_ cbor: UnsafeBufferPointer<UInt8>) {
        unsafe bytes = cbor
        (count, ownCount, rest, restCount) = (0, 0, 0, 0)
        if capacity > 1024 { move(toCapacity: EncodedRecord.usualCapacity) }
    }

    /// Ends reading the record. Its bytes may become invalid afterwards.
    package func end() { unsafe bytes = UnsafeBufferPointer(start: nil, count: 0) }

    /// The number of bytes of the record.
    package var byteCount: Int { unsafe bytes.count }

    /// Appends the bytes in a range of the record to an array.
    package func append(_ range: Range<Int>, to copy: inout [UInt8]) {
        copy.append(unsafe bytes.span.extracting(range))
    }

    /// Returns a copy of the bytes in a range of the record.
    package func copiedBytes(in range: Range<Int>) -> [UInt8] { Array(unsafe bytes.span.extracting(range)) }

    /// A copy of the bytes of the record.
    var copiedBytes: [UInt8] { Array(unsafe bytes.span) }

    /// Returns whether the record has the given bytes.
    func hasBytes(_ other: [UInt8]) -> Bool { unsafe bytes.span.hasSameBytes(as: other.span) }

    // MARK: Fields

    /// Finds all fields of the record.
    package func fields() throws(DataStoreError) -> Range<Int> {
        _ = try nextOwn(upTo: .max, .max)
        return 0..<ownCount
    }

    /// Finds the fields of a nested record, or returns `nil` if the value is not a record. The fields stay available
    /// until ``forget(after:)`` is called.
    package func fields(at position: Int) throws(DataStoreError) -> Range<Int>? {
        if position == 0 { return try fields() }
        let bytes = unsafe bytes.span
        var offset = position
        do throws(CBORDecoder.Failure) {
            guard let added = try CBORDecoder.count(of: .map, in: bytes, at: &offset) else { return nil }
            let first = count
            for index in 0..<added { try findField(in: bytes, at: &offset, isFirst: index == 0) }
            return first..<count
        } catch {
            throw EncodedRecord.noRecord(error)
        }
    }

    /// The number of fields that have been found.
    package var foundCount: Int { count }

    /// Forgets the fields of nested records that were found after there were `foundCount` fields.
    package func forget(after foundCount: Int) { count = min(count, max(foundCount, ownCount)) }

    /// Returns the position of the value of a field in a range of found fields, or `nil` if no field has the name.
    package func position(of name: Span<UInt8>, in fields: Range<Int>) -> Int? {
        position(of: name, name.prefix(at: 0, length: name.count), in: fields)
    }

    private func position(of name: Span<UInt8>, _ prefix: UInt64, in fields: Range<Int>) -> Int? {
        // A container may have been kept for too long.
        guard fields.upperBound <= count else { return nil }
        // Fields are ordered by the length of their names first. A binary search skips fields if there are many.
        var (low, high) = (fields.lowerBound, fields.upperBound)
        while high &- low > 16 {
            let middle = (low &+ high) / 2
            if precedes(unsafe found[middle], name, prefix) { low = middle &+ 1 } else { high = middle &+ 1 }
        }
        while low < high {
            // The index is less than `count`.
            let field = unsafe found[low]
            if field.prefix == prefix, isNamed(field, name, prefix) { return field.value }
            if field.count > name.count { return nil }
            low &+= 1
        }
        return nil
    }

    /// Returns the position of the value of a field of the record, or `nil` if the record has no field with the name.
    package func position(of name: Span<UInt8>) throws(DataStoreError) -> Int? {
        let prefix = name.prefix(at: 0, length: name.count)
        if let position = position(of: name, prefix, in: 0..<ownCount) { return position }
        while let next = try nextOwn(upTo: name.count, prefix) {
            if isNamed(next, name, prefix) { return next.value }
            guard next.count == name.count, next.prefix == prefix else { return nil }
        }
        return nil
    }

    /// Returns the position of the value of a field of the record, or `nil` if the record has no field with the name.
    @inline(__always)
    package func position(of name: String) throws(DataStoreError) -> Int? {
        try name.withBytes { (name) throws(DataStoreError) in try position(of: name) }
    }

    /// The last field of the record that has been found.
    private var lastOwn: Field? { ownCount == 0 ? nil : unsafe found[ownCount &- 1] }

    /// Returns the name of a found field. Returns `nil` if the name is not UTF-8.
    package func name(of field: Int) -> String? {
        guard field < count else { return nil }
        return String(utf8: unsafe bytes.span.extracting(found[field].nameRange))
    }

    @inline(__always)
    private func isNamed(_ field: Field, _ name: Span<UInt8>, _ prefix: UInt64) -> Bool {
        field.prefix == prefix && field.count == name.count
            && (name.count <= 8 || (unsafe bytes.span.extracting(field.nameRange)).hasSameBytes(as: name))
    }

    /// Returns whether a field comes before the one with the given name in the order of a record's fields.
    @inline(__always)
    private func precedes(_ field: Field, _ name: Span<UInt8>, _ prefix: UInt64) -> Bool {
        if field.count != name.count { return field.count < name.count }
        if field.prefix != prefix { return field.prefix < prefix }
        return name.count > 8 && (unsafe bytes.span.extracting(field.nameRange)).precedes(name)
    }

    /// Finds the next fields of the record, up to the first one that is not before all names with the given length and
    /// first bytes. Returns this field, or `nil` at the end of the record. An error leaves the offset at the field that
    /// caused it, so another search throws it again.
    private func nextOwn(upTo length: Int, _ prefix: UInt64) throws(DataStoreError) -> Field? {
        if let last = lastOwn, last.isAfter(length, prefix) { return nil }
        let bytes = unsafe bytes.span
        do throws(CBORDecoder.Failure) {
            var next = rest
            if rest == 0 {
                guard let all = try CBORDecoder.count(of: .map, in: bytes, at: &next) else {
                    throw CBORDecoder.Failure(rule: "not a map", offset: 0)
                }
                (rest, restCount) = (next, all)
            }
            while restCount > 0 {
                if let field = walk(upTo: length, prefix) { return field }
                if restCount == 0 { break }
                next = rest
                // All fields of the record are found before those of nested records.
                let field = try findField(in: bytes, at: &next, isFirst: ownCount == 0)
                ownCount &+= 1
                (rest, restCount) = (next, restCount &- 1)
                if !field.isBefore(length, prefix) {
                    try checkEnd(of: bytes)
                    return field
                }
            }
            try checkEnd(of: bytes)
            return nil
        } catch {
            throw EncodedRecord.noRecord(error)
        }
    }

    /// Finds fields as ``nextOwn(upTo:_:)`` does, until one needs more checks: because it is invalid, is near the end
    /// of the bytes, or has a long name. Nearly all fields are found here, with few instructions.
    private func walk(upTo length: Int, _ prefix: UInt64) -> Field? {
        let total = unsafe bytes.count
        guard let bytes = unsafe bytes.baseAddress else { return nil }
        var last = lastOwn ?? Field(prefix: 0, name: 0, count: 0, value: 0)
        // The loop reads eight bytes after the head of a name, and two bytes at the position of a value. It compares
        // these offsets with `total` before.
        while restCount > 1, rest &+ 9 <= total, count < capacity {
            let nameCount = Int(unsafe bytes[rest]) &- Int(CBORMajor.text.initialByte)
            guard nameCount > 0, nameCount < 24 else { return nil }
            let name = rest &+ 1
            var word = unsafe UInt64(bigEndian: UnsafeRawPointer(bytes + name).loadUnaligned(as: UInt64.self))
            if nameCount < 8 { word &= ~(UInt64.max &>> UInt64(8 &* nameCount)) }
            let value = name &+ nameCount
            guard last.isBefore(nameCount, word), value &+ 2 <= total else { return nil }
            let head = unsafe bytes[value]
            var end: Int
            switch head {
            case 0x00...0x17, 0x20...0x37, 0xE0...0xF7: end = value &+ 1
            case 0x60...0x77: end = value &+ 1 &+ Int(head &- 0x60)
            case 0xF9: end = value &+ 3
            case 0xFA: end = value &+ 5
            case 0xFB: end = value &+ 9
            default:
                end = value
                do throws(CBORDecoder.Failure) {
                    try CBORDecoder.skipValue(in: unsafe self.bytes.span, at: &end)
                } catch {
                    return nil
                }
            }
            guard end <= total else { return nil }
            last = Field(prefix: word, name: name, count: nameCount, value: value)
            // The memory has room for another field.
            unsafe (found + count).initialize(to: last)
            (count, ownCount, rest, restCount) = (count &+ 1, ownCount &+ 1, end, restCount &- 1)
            if !last.isBefore(length, prefix) { return last }
        }
        return nil
    }

    private func checkEnd(of bytes: Span<UInt8>) throws(CBORDecoder.Failure) {
        guard restCount > 0 || rest == bytes.count else {
            throw CBORDecoder.Failure(rule: "bytes follow the end of the record", offset: rest)
        }
    }

    /// Finds the field at an offset, and moves the offset past it.
    @inline(__always) @discardableResult
    private func findField(
        in bytes: Span<UInt8>, at offset: inout Int, isFirst: Bool
    ) throws(CBORDecoder.Failure) -> Field {
        let start = offset
        let name = try CBORDecoder.name(in: bytes, at: &offset)
        let value = offset
        let prefix = bytes.prefix(at: name.lowerBound, length: name.count)
        let isInOrder =
            isFirst ? !name.isEmpty : precedes(unsafe found[count &- 1], bytes.extracting(name), prefix)
        guard isInOrder else { throw CBORDecoder.Failure(rule: "keys are not unique and in order", offset: start) }
        try CBORDecoder.skipValue(in: bytes, at: &offset)
        let field = Field(prefix: prefix, name: name.lowerBound, count: name.count, value: value)
        if count == capacity { move(toCapacity: 2 * capacity) }
        // The memory has room for another field.
        unsafe (found + count).initialize(to: field)
        count &+= 1
        return field
    }

    /// Moves the found fields to memory of another size, which is sufficient for them.
    private func move(toCapacity newCapacity: Int) {
        let new = UnsafeMutablePointer<Field>.allocate(capacity: newCapacity)
        unsafe new.initialize(from: found, count: count)
        unsafe found.deallocate()
        unsafe (found, capacity) = (new, newCapacity)
    }

    /// Decodes a nested record whose fields have been found.
    package func record(of fields: Range<Int>) throws(DataStoreError) -> Record {
        var decoded: [Record.Field] = []
        for index in fields {
            guard let name = name(of: index) else {
                throw EncodedRecord.noRecord(CBORDecoder.Failure(rule: "a text is not UTF-8", offset: 0))
            }
            decoded.append(Record.Field(name: name, value: try value(at: unsafe found[index].value)))
        }
        return Record(ordered: decoded)
    }
}
