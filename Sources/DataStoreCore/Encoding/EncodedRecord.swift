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
@usableFromInline
package final class EncodedRecord {
    /// A field that has been found.
    fileprivate struct Field {
        /// The number of the name by which records order their fields. See ``FieldName``.
        let order: UInt64
        /// The offset of the name.
        let name: Int
        /// The position of the value, which follows the name.
        let value: Int

        var nameRange: Range<Int> { name..<value }
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
    /// The number of the last own field that has been found, or the greatest number after the last field of the record.
    private var reached: UInt64 = 0
    /// The decoder of the record before, which its type may use again.
    private var decoder: AnyObject?
    /// The number of searches for a field of the record.
    private var searchCount = 0

    private static let usualCapacity = 32
    /// The capacity of an object that reads one record, for which more memory would take longer to allocate.
    private static let leastCapacity = 8

    /// Creates an object without a record.
    package init() {
        unsafe found = .allocate(capacity: EncodedRecord.usualCapacity)
        unsafe copy = nil
    }

    /// Creates an object with the encoded form of a record.
    package convenience init(_ record: Record) {
        self.init(maximumByteCount: CBOREncoder.maximumByteCount(of: record)) { CBOREncoder.encode(record, to: &$0) }
    }

    /// Creates an object with a copy of an encoded record.
    package convenience init(_ cbor: [UInt8]) {
        self.init(maximumByteCount: cbor.count) { CBOREncoder.append(cbor.span, &$0) }
    }

    /// Creates an object with a record that a closure writes.
    ///
    /// - Parameters:
    ///   - maximumByteCount: The maximum number of bytes that the closure writes.
    ///   - write: A closure that appends the encoded record to an output.
    package init(maximumByteCount: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        unsafe found = .allocate(capacity: EncodedRecord.leastCapacity)
        capacity = EncodedRecord.leastCapacity
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: maximumByteCount)
        var output = unsafe OutputSpan(buffer: copy, initializedCount: 0)
        write(&output)
        let count = unsafe output.finalize(for: copy)
        unsafe self.copy = copy
        // The first `count` bytes are initialized.
        unsafe bytes = UnsafeBufferPointer(rebasing: copy[..<count])
    }

    deinit {
        unsafe found.deallocate()
        unsafe copy?.deallocate()
    }

    /// Begins to read a record. Its bytes must be valid until ``end()`` is called.
    package func begin(_ cbor: UnsafeBufferPointer<UInt8>) {
        unsafe bytes = cbor
        (count, ownCount, rest, restCount, reached) = (0, 0, 0, 0, 0)
        searchCount = 0
        if capacity > 1024 { move(0, toCapacity: EncodedRecord.usualCapacity) }
    }

    /// Ends reading the record. Its bytes may become invalid afterwards.
    package func end() {
        unsafe bytes = UnsafeBufferPointer(start: nil, count: 0)
        (count, ownCount) = (0, 0)
    }

    // MARK: Fields

    /// Finds all fields of the record.
    package func fields() throws(DataStoreError) -> Range<Int> {
        try findOwn(upTo: .max)
        return 0..<ownCount
    }

    /// Finds the fields of a nested record and moves the position past it, or returns `nil` if the value is not a
    /// record. The fields stay available until ``forget(after:)`` is called. Position 0 is the whole record, and stays.
    package func fields(at position: inout Int) throws(DataStoreError) -> Range<Int>? {
        // A record finds all of its own fields before those of nested records.
        let own = try fields()
        if position == 0 { return own }
        guard var added = try enter(.map, at: &position) else { return nil }
        let first = count
        do throws(CBORDecoder.Failure) {
            try find(&added, at: &position, after: first, upTo: .max)
        } catch {
            throw .noRecord(error)
        }
        return first..<count
    }

    /// The number of fields that have been found.
    package var foundCount: Int { count }

    /// Forgets the fields of nested records that were found after there were `foundCount` fields.
    package func forget(after foundCount: Int) { count = min(count, max(foundCount, ownCount)) }

    /// Returns the position of the value of a field of the record, or `nil` if the record has no field with the name.
    package func position(of name: FieldName) throws(DataStoreError) -> Int? {
        // Another field can have the number of a long name.
        let limit = FieldName.isUnique(name.order) ? name.order &- 1 : name.order
        if reached <= limit {
            // A condition reads one or two fields. A caller that asks for a third one usually needs most fields.
            searchCount += 1
            try findOwn(upTo: searchCount > 2 ? .max : limit)
        }
        let own = unsafe Range(uncheckedBounds: (0, ownCount))
        return FieldName.isShort(name.order)
            ? position(ofShort: name.order, name.end, in: own) : position(of: name, in: own)
    }

    /// Returns the position of the value of a field in a range of found fields, or `nil` if no field has the name.
    package func position(of name: FieldName, in fields: Range<Int>) -> Int? {
        FieldName.isShort(name.order)
            ? position(ofShort: name.order, name.end, in: fields)
            : name.text.withBytes { position(of: $0, in: fields) }
    }

    /// Returns the position of the value of a field in a range of found fields, or `nil` if no field has the name.
    package func position(of name: Span<UInt8>, in fields: Range<Int>) -> Int? {
        let order = FieldName.order(of: name)
        guard let first = firstIndex(order, in: fields) else { return nil }
        for index in first..<fields.upperBound {
            // The index is less than `count`.
            let field = unsafe found[index]
            guard field.order == order else { return nil }
            if unsafe bytes.span.extracting(field.nameRange).hasSameBytes(as: name) { return field.value }
        }
        return nil
    }

    /// Returns the position of the value of a field whose name has at most 15 bytes, given the numbers of the name, or
    /// `nil` if no field in the range has the name.
    @inline(__always)
    package func position(ofShort order: UInt64, _ end: UInt64, in fields: Range<Int>) -> Int? {
        guard var index = firstIndex(order, in: fields) else { return nil }
        if FieldName.isUnique(order) { return unsafe found[index].value }
        repeat {
            // The index is less than `count`.
            let field = unsafe found[index]
            guard field.order == order else { return nil }
            // The value follows the name, which has at least eight bytes.
            let found = unsafe bytes.span.bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: field.value &- 8, as: UInt64.self)
            if UInt64(littleEndian: found) == end { return field.value }
            index &+= 1
        } while index < fields.upperBound
        return nil
    }

    /// Returns the index of the first of the found fields in a range that has a number, or `nil` if none has it.
    @inline(__always)
    private func firstIndex(_ order: UInt64, in fields: Range<Int>) -> Int? {
        // A container may have been kept for too long.
        guard fields.upperBound <= count else { return nil }
        let found = unsafe found
        var (low, high) = (fields.lowerBound, fields.upperBound)
        // A binary search skips fields if there are many.
        while high &- low > 16 {
            let middle = (low &+ high) / 2
            // The indices are less than `count`.
            if unsafe found[middle].order < order { low = middle &+ 1 } else { high = middle &+ 1 }
        }
        while low < high, unsafe found[low].order < order { low &+= 1 }
        return unsafe low < high && found[low].order == order ? low : nil
    }

    /// Returns the name of a found field. Returns `nil` if the name is not UTF-8.
    package func name(of field: Int) -> String? {
        guard field < count else { return nil }
        return String(utf8: unsafe bytes.span.extracting(found[field].nameRange))
    }

    /// Returns whether a found field comes before the one with the given name in the order of a record's fields, or
    /// `nil` if it has this name.
    package func isField(_ field: Int, before name: Span<UInt8>) -> Bool? {
        guard field < count else { return false }
        let own = unsafe bytes.span.extracting(found[field].nameRange)
        return own.hasSameBytes(as: name) ? nil : EncodedRecord.isName(own, before: name)
    }

    /// Returns whether a name comes before another one in the order of a record's fields.
    static func isName(_ name: Span<UInt8>, before other: Span<UInt8>) -> Bool {
        name.count == other.count ? name.precedes(other) : name.count < other.count
    }

    /// Returns the name of a found field, and a copy of its encoded value.
    package func field(_ index: Int) throws(DataStoreError) -> (name: String, value: [UInt8]) {
        guard let name = name(of: index) else { throw EncodedRecord.noText }
        let start = unsafe found[index].value
        var end = start
        try skip(at: &end)
        return (name, copiedBytes(in: start..<end))
    }

    private static var noText: DataStoreError {
        .noRecord(CBORDecoder.Failure(rule: "a text is not UTF-8", offset: 0))
    }

    // MARK: Decoders

    /// Keeps a decoder for the next record, if there can be one. The decoder may refer to this object, so the owner of
    /// this object calls ``takeDecoder()`` at last.
    package func keep(_ decoder: AnyObject) { if unsafe copy == nil { self.decoder = decoder } }

    /// Returns the decoder that was kept, and keeps it no longer. Meanwhile, another call needs its own.
    @discardableResult
    package func takeDecoder() -> AnyObject? { decoder.take() }

    // MARK: Finding fields

    /// Finds the next fields of the record, up to the first one whose number exceeds `limit`. An error leaves the
    /// offset at the field that caused it, so another search throws it again.
    private func findOwn(upTo limit: UInt64) throws(DataStoreError) {
        if reached == .max { return }
        do throws(CBORDecoder.Failure) {
            let bytes = unsafe bytes.span
            var (offset, remaining) = (rest, restCount)
            if offset == 0 {
                guard let all = try CBORDecoder.count(of: .map, in: bytes, at: &offset) else {
                    throw CBORDecoder.Failure(rule: "not a map", offset: 0)
                }
                remaining = all
            }
            defer {
                (rest, restCount, ownCount) = (offset, remaining, count)
                if reached < .max, count > 0 { reached = unsafe found[count &- 1].order }
            }
            try find(&remaining, at: &offset, after: 0, upTo: limit)
            guard remaining == 0 else { return }
            guard offset == bytes.count else {
                throw CBORDecoder.Failure(rule: "bytes follow the end of the record", offset: offset)
            }
            reached = .max
        } catch {
            throw .noRecord(error)
        }
    }

    /// Finds fields from an offset on, up to the first one whose number exceeds `limit`, and moves the offset past
    /// them.
    ///
    /// - Parameters:
    ///   - remaining: The number of fields that have not been found.
    ///   - offset: The offset of the next field.
    ///   - first: The index of the first field of the same record among the found ones.
    ///   - limit: The number of a name.
    /// - Throws: The error of the first invalid field. The offset then is the one of this field.
    private func find(
        _ remaining: inout Int, at offset: inout Int, after first: Int, upTo limit: UInt64
    ) throws(CBORDecoder.Failure) {
        var last = count > first ? unsafe found[count &- 1].order : 0
        while true {
            findShort(&remaining, at: &offset, after: &last, upTo: limit)
            guard remaining > 0, last <= limit else { return }
            last = try findAny(at: &offset, after: first, last)
            remaining &-= 1
        }
    }

    /// Finds fields as long as their names are short, their values are flat, and there is room for them. The loop calls
    /// a function only for arrays and records, so the compiler keeps its variables in registers.
    @inline(__always)
    private func findShort(
        _ remaining: inout Int, at offset: inout Int, after last: inout UInt64, upTo limit: UInt64
    ) {
        let (bytes, found, capacity) = unsafe (bytes.span, found, capacity)
        var (left, start, index, order) = (remaining, offset, count, last)
        while left > 0, order <= limit, index < capacity,
            let name = CBORDecoder.shortName(in: bytes, at: start), name.order > order,
            let end = CBORDecoder.endOfFlatValue(in: bytes, at: name.end)
        {
            // The memory has room for another field.
            unsafe (found + index).initialize(to: Field(order: name.order, name: start &+ 1, value: name.end))
            (left, start, index, order) = (left &- 1, end, index &+ 1, name.order)
        }
        (remaining, offset, count, last) = (left, start, index, order)
    }

    /// Finds any field, moves the offset past it, and returns its number.
    @inline(never)
    private func findAny(
        at offset: inout Int, after first: Int, _ last: UInt64
    ) throws(CBORDecoder.Failure) -> UInt64 {
        let bytes = unsafe bytes.span
        let (name, order) = try CBORDecoder.fieldName(in: bytes, at: offset)
        guard order > last || order == last && count > first && isName(name, order, afterNameOf: count &- 1) else {
            throw CBORDecoder.Failure(rule: "keys are not unique and in order", offset: offset)
        }
        var end = name.upperBound
        try CBORDecoder.skipLong(in: bytes, at: &end, depth: 1)
        if count == capacity { move(count, toCapacity: 2 * capacity) }
        // The memory has room for another field.
        unsafe (found + count).initialize(to: Field(order: order, name: name.lowerBound, value: name.upperBound))
        count &+= 1
        offset = end
        return order
    }

    /// Returns whether a name comes after the one of a found field, which has the same number.
    private func isName(_ name: Range<Int>, _ order: UInt64, afterNameOf field: Int) -> Bool {
        let (other, bytes) = unsafe (found[field].nameRange, bytes.span)
        return !FieldName.isUnique(order)
            && EncodedRecord.isName(bytes.extracting(other), before: bytes.extracting(name))
    }

    /// Moves the first `count` found fields to memory of another size, which is sufficient for them.
    private func move(_ count: Int, toCapacity newCapacity: Int) {
        let new = UnsafeMutablePointer<Field>.allocate(capacity: newCapacity)
        unsafe new.initialize(from: found, count: count)
        unsafe found.deallocate()
        unsafe (found, capacity) = (new, newCapacity)
    }

    /// Decodes a nested record whose fields have been found.
    package func record(of fields: Range<Int>) throws(DataStoreError) -> Record {
        var decoded: [Record.Field] = []
        for index in fields {
            guard let name = name(of: index) else { throw EncodedRecord.noText }
            decoded.append(Record.Field(name: name, value: try value(at: unsafe found[index].value)))
        }
        return Record(ordered: decoded)
    }
}
