/// A view of a stored record that decodes only the requested fields. It is valid only in the closure that receives it.
///
/// Use it to read a few fields of a large record:
///
/// ```swift
/// let address = try await store.read { transaction in
///     try transaction.withView(of: key) { record in try record.value(of: "mailAddress") }
/// }
/// ```
public struct RecordView: ~Copyable {
    /// The encoded record, or `nil` if the record is decoded.
    private let encoded: EncodedRecord?
    /// The range of the found fields if the record is nested in ``encoded``.
    private let nestedFields: Range<Int>?
    /// The decoded record. It is empty if only the encoded form is known.
    private let decoded: Record

    // The initializers are not inlined. Otherwise the compiler (Swift 6.3.1) crashes on a closure that receives a view.
    /// Creates a view of an encoded record. Only stores of this package call this initializer.
    @inline(never)
    package init(_ record: EncodedRecord) { (encoded, nestedFields, decoded) = (record, nil, Record()) }

    /// Creates a view of a decoded record. Call it in a ``ReadBackend`` of your own.
    @inline(never)
    public init(_ record: Record) { (encoded, nestedFields, decoded) = (nil, nil, record) }

    /// Creates a view of a decoded record and its encoded form.
    @inline(never)
    package init(encoding record: Record) { (encoded, nestedFields, decoded) = (EncodedRecord(record), nil, record) }

    /// Creates a view of a copy.
    package init(_ copy: Copy) {
        switch copy {
        case .decoded(let record): self.init(record)
        case .encoded(let bytes): self.init(EncodedRecord(bytes))
        }
    }

    private init(_ record: EncodedRecord, nested fields: Range<Int>) {
        (encoded, nestedFields, decoded) = (record, fields, Record())
    }

    // MARK: Fields

    /// Decodes the value of a field.
    ///
    /// - Parameter name: The name of the field.
    /// - Returns: The value, or `nil` if the record has no field with that name.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/corrupted`` if the stored bytes are not a
    ///   record.
    public func value(of name: String) throws(DataStoreError) -> Value? { try value(of: FieldName(name)) }

    /// Decodes the value of a field.
    package func value(of name: FieldName) throws(DataStoreError) -> Value? {
        try content(of: name, { $0 }) { (record, position) throws(DataStoreError) in try record.value(at: &position) }
    }

    /// Decodes the text of a field. Returns `nil` if the field is missing or is not a string.
    @usableFromInline
    package func text(of name: FieldName) throws(DataStoreError) -> String? {
        try content(of: name, { $0.string }) { (record, position) throws(DataStoreError) in
            try record.text(at: &position)
        }
    }

    /// Passes the UTF-8 bytes of a text to a closure, without creating a string. The bytes are not validated.
    ///
    /// - Returns: The result of the closure, or `nil` if the field is missing or is not a string.
    @inlinable @inline(__always)
    package func withText<Result>(
        of name: FieldName, _ body: (Span<UInt8>) -> Result?
    ) throws(DataStoreError) -> Result? {
        var result: Result?
        try readText(of: name) { result = body($0) }
        return result
    }

    // It is not generic, so that it looks up no types.
    @usableFromInline
    func readText(of name: FieldName, _ body: (Span<UInt8>) -> Void) throws(DataStoreError) {
        _ = try content(of: name, { $0.string?.withBytes(body) }) { (record, position) throws(DataStoreError) in
            try record.withText(at: &position, body)
        }
    }

    /// Decodes the integer of a field. Returns `nil` if the field is missing or is not an integer.
    @usableFromInline
    package func integer(of name: FieldName) throws(DataStoreError) -> Int64? {
        try content(of: name, { $0.integer }) { (record, position) throws(DataStoreError) in
            try record.integer(at: &position)
        }
    }

    /// Decodes the real of a field. Returns `nil` if the field is missing or is not a real.
    @usableFromInline
    package func real(of name: FieldName) throws(DataStoreError) -> Double? {
        try content(of: name) { value in
            if case .real(let number) = value { number } else { nil }
        } _: { (record, position) throws(DataStoreError) in
            try record.real(at: &position)
        }
    }

    /// Decodes the date of a field. Returns `nil` if the field is missing or is not a date.
    @usableFromInline
    package func date(of name: FieldName) throws(DataStoreError) -> Timestamp? {
        try content(of: name, { $0.date }) { (record, position) throws(DataStoreError) in
            try record.date(at: &position)
        }
    }

    /// Decodes the texts of a field. Returns `nil` if the field is missing or is not an array of strings.
    @usableFromInline
    package func texts(of name: FieldName) throws(DataStoreError) -> [String]? {
        try content(of: name, { $0.strings }) { (record, position) throws(DataStoreError) in
            guard let count = try record.enterArray(at: &position) else { return nil }
            var texts: [String] = []
            // A damaged head may claim more elements than follow.
            texts.reserveCapacity(min(count, 64))
            for _ in 0..<count {
                guard let text = try record.text(at: &position) else { return nil }
                texts.append(text)
            }
            return texts
        }
    }

    /// Passes a view of a nested record to a closure.
    ///
    /// - Returns: The result of the closure, or `nil` if the field is missing or is not a record.
    @inlinable
    package func withRecord<Result>(
        of name: FieldName, _ body: (borrowing RecordView) throws -> Result
    ) throws -> Result? {
        guard let nested = try nested(name) else { return nil }
        defer { nested.forget() }
        return try body(nested)
    }

    /// Passes a view of each record in an array to a closure.
    ///
    /// - Returns: Whether the field is an array of records. Otherwise, the closure has received the records before the
    ///   first other element.
    @usableFromInline
    package func forEachRecord(
        of name: FieldName, _ body: (borrowing RecordView) throws -> Void
    ) throws -> Bool {
        guard let encoded else {
            guard let elements = decoded[name.text]?.array else { return false }
            for element in elements {
                guard let nested = element.record else { return false }
                try body(RecordView(nested))
            }
            return true
        }
        guard var position = try position(of: name, in: encoded), let count = try encoded.enterArray(at: &position)
        else { return false }
        for _ in 0..<count {
            guard let fields = try encoded.fields(at: &position) else { return false }
            let nested = RecordView(encoded, nested: fields)
            defer { nested.forget() }
            try body(nested)
        }
        return true
    }

    /// Returns a view of a nested record. The caller must call ``forget()`` before it uses this view again.
    @usableFromInline
    func nested(_ name: FieldName) throws(DataStoreError) -> RecordView? {
        guard let encoded else {
            guard let nested = decoded[name.text]?.record else { return nil }
            return RecordView(nested)
        }
        guard var position = try position(of: name, in: encoded), let fields = try encoded.fields(at: &position)
        else { return nil }
        return RecordView(encoded, nested: fields)
    }

    @usableFromInline
    func forget() { if let nestedFields { encoded?.forget(after: nestedFields.lowerBound) } }

    @inline(__always)
    private func position(of name: FieldName, in encoded: EncodedRecord) throws(DataStoreError) -> Int? {
        guard let nestedFields else { return try encoded.position(of: name) }
        return encoded.position(of: name, in: nestedFields)
    }

    @inline(__always)
    private func content<Result>(
        of name: FieldName, _ decode: (Value) -> Result?,
        _ decodeInPlace: (EncodedRecord, inout Int) throws(DataStoreError) -> Result?
    ) throws(DataStoreError) -> Result? {
        guard let encoded else { return decoded[name.text].flatMap(decode) }
        guard var position = try position(of: name, in: encoded) else { return nil }
        return try decodeInPlace(encoded, &position)
    }

    // MARK: Whole records

    /// A copy of a stored record, which remains valid, and with which a later view is compared without decoding it.
    package enum Copy: Equatable, Sendable {
        case decoded(Record)
        case encoded([UInt8])
    }

    /// Returns a copy of the record. An encoded record is not decoded.
    package func copy() throws(DataStoreError) -> Copy {
        if let whole { return .encoded(whole.copiedBytes) }
        return .decoded(try record())
    }

    /// Returns a view that remains valid, of a copy of the record.
    package func owned() throws(DataStoreError) -> RecordView {
        guard let encoded, nestedFields == nil else { return RecordView(try record()) }
        return RecordView(EncodedRecord(maximumByteCount: encoded.byteCount) { encoded.copy(to: &$0) })
    }

    /// Validates the record against the limits that apply to every store, and returns the size of its values in bytes.
    package func validatedByteCount() throws(DataStoreError) -> Int {
        // The bytes of an encoded record have been validated, except for their number.
        if let whole, whole.byteCount <= Record.maximumByteCount { return whole.byteCount }
        return try record().validatedByteCount()
    }

    /// Returns whether a field is missing in both records or has the same value in both. The bytes of encoded values
    /// are compared, which shows neither value to be valid.
    package func hasSameValue(of name: FieldName, as other: borrowing RecordView) throws(DataStoreError) -> Bool {
        guard let encoded, let otherEncoded = other.encoded, nestedFields == nil, other.nestedFields == nil else {
            return try value(of: name) == other.value(of: name)
        }
        guard let position = try encoded.position(of: name) else {
            return try otherEncoded.position(of: name) == nil
        }
        guard let otherPosition = try otherEncoded.position(of: name) else { return false }
        return try encoded.hasSameValue(at: position, asAt: otherPosition, in: otherEncoded)
    }

    /// Returns whether the record equals a copy in the same form. The bytes of encoded records are compared.
    package func isSame(as copy: Copy) -> Bool {
        switch copy {
        case .decoded(let other): encoded == nil && decoded == other
        case .encoded(let bytes): whole?.hasBytes(bytes) == true
        }
    }

    /// The encoded form of the record, or `nil` if it is decoded or nested.
    @usableFromInline package var whole: EncodedRecord? { nestedFields == nil ? encoded : nil }

    /// Returns the encoded form of the record, which is valid as long as the view. A record that a store keeps decoded
    /// is encoded first.
    package func encodedRecord() throws(DataStoreError) -> EncodedRecord {
        if let whole { return whole }
        return EncodedRecord(try record())
    }

    /// Decodes all fields of the record.
    ///
    /// - Returns: The record.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/corrupted`` if the stored bytes are not a
    ///   record.
    public func record() throws(DataStoreError) -> Record {
        guard let encoded, decoded.isEmpty else { return decoded }
        guard let nestedFields else { return try encoded.record() }
        return try encoded.record(of: nestedFields)
    }
}
