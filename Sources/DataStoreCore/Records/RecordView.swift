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
    private let content: Content

    private enum Content {
        case decoded(Record)
        case encoded(EncodedRecord)
        /// A nested record, with the range of its found fields.
        case nested(EncodedRecord, Range<Int>)
    }

    // The initializers are not inlined. Otherwise the compiler (Swift 6.3.1) crashes on a closure that receives a view.
    /// Creates a view of an encoded record. Only stores of this package call this initializer.
    @inline(never)
    package init(_ record: EncodedRecord) { content = .encoded(record) }

    /// Creates a view of a decoded record. Call it in a ``ReadBackend`` of your own.
    @inline(never)
    public init(_ record: Record) { content = .decoded(record) }

    private init(_ content: consuming Content) { self.content = content }

    // MARK: Fields

    /// Decodes the value of a field.
    ///
    /// - Parameter name: The name of the field.
    /// - Returns: The value, or `nil` if the record has no field with that name.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/corrupted`` if the stored bytes are not a
    ///   record.
    public func value(of name: String) throws(DataStoreError) -> Value? {
        try content(of: name, { $0 }) { (record, position) throws(DataStoreError) in try record.value(at: &position) }
    }

    /// Decodes the text of a field. Returns `nil` if the field is missing or is not a string.
    package func text(of name: String) throws(DataStoreError) -> String? {
        try content(of: name) { value in
            if case .string(let text) = value { text } else { nil }
        } _: { (record, position) throws(DataStoreError) in
            try record.text(at: &position)
        }
    }

    /// Passes the UTF-8 bytes of a text to a closure, without creating a string. The bytes are not validated.
    ///
    /// - Returns: The result of the closure, or `nil` if the field is missing or is not a string.
    package func withText<Result>(
        of name: String, _ body: (Span<UInt8>) -> Result?
    ) throws(DataStoreError) -> Result? {
        try content(of: name) { value in
            if case .string(let text) = value { text.withBytes(body) } else { nil }
        } _: { (record, position) throws(DataStoreError) in
            try record.withText(at: &position, body)
        }
    }

    /// Decodes the integer of a field. Returns `nil` if the field is missing or is not an integer.
    @usableFromInline
    package func integer(of name: String) throws(DataStoreError) -> Int64? {
        try content(of: name) { value in
            if case .integer(let number) = value { number } else { nil }
        } _: { (record, position) throws(DataStoreError) in
            try record.integer(at: &position)
        }
    }

    /// Decodes the real of a field. Returns `nil` if the field is missing or is not a real.
    package func real(of name: String) throws(DataStoreError) -> Double? {
        try content(of: name) { value in
            if case .real(let number) = value { number } else { nil }
        } _: { (record, position) throws(DataStoreError) in
            try record.real(at: &position)
        }
    }

    /// Decodes the date of a field. Returns `nil` if the field is missing or is not a date.
    package func date(of name: String) throws(DataStoreError) -> Timestamp? {
        try content(of: name) { value in
            if case .date(let date) = value { date } else { nil }
        } _: { (record, position) throws(DataStoreError) in
            try record.date(at: &position)
        }
    }

    /// Decodes the texts of a field. Returns `nil` if the field is missing or is not an array of strings.
    @usableFromInline
    package func texts(of name: String) throws(DataStoreError) -> [String]? {
        try content(of: name, \.strings) { (record, position) throws(DataStoreError) in
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
        of name: String, _ body: (borrowing RecordView) throws -> Result
    ) throws -> Result? {
        guard let nested = try nested(name) else { return nil }
        defer { nested.forget() }
        return try body(nested)
    }

    /// Returns a view of a nested record. The caller must call ``forget()`` before it uses this view again.
    @usableFromInline
    func nested(_ name: String) throws(DataStoreError) -> RecordView? {
        switch content {
        case .decoded(let record):
            guard case .record(let nested)? = record[name] else { return nil }
            return RecordView(nested)
        case .encoded(let record), .nested(let record, _):
            guard let position = try position(of: name, in: record) else { return nil }
            // A record finds all of its own fields before those of nested records.
            _ = try record.fields()
            guard let fields = try record.fields(at: position) else { return nil }
            return RecordView(.nested(record, fields))
        }
    }

    @usableFromInline
    func forget() { if case .nested(let record, let fields) = content { record.forget(after: fields.lowerBound) } }

    @inline(__always)
    private func position(of name: String, in record: EncodedRecord) throws(DataStoreError) -> Int? {
        guard case .nested(_, let fields) = content else { return try record.position(of: name) }
        return name.withBytes { record.position(of: $0, in: fields) }
    }

    @inline(__always)
    private func content<Result>(
        of name: String, _ decoded: (Value) -> Result?,
        _ encoded: (EncodedRecord, inout Int) throws(DataStoreError) -> Result?
    ) throws(DataStoreError) -> Result? {
        switch content {
        case .decoded(let record): return record[name].flatMap(decoded)
        case .encoded(let record), .nested(let record, _):
            guard var position = try position(of: name, in: record) else { return nil }
            return try encoded(record, &position)
        }
    }

    // MARK: Whole records

    /// A copy of a stored record, with which a later view is compared without decoding it.
    package enum Copy: Equatable, Sendable {
        case decoded(Record)
        case encoded([UInt8])
    }

    /// Returns a copy of the record. An encoded record is not decoded.
    package func copy() throws(DataStoreError) -> Copy {
        if case .encoded(let record) = content { return .encoded(record.copiedBytes) }
        return .decoded(try record())
    }

    /// Returns whether the record equals a copy in the same form. The bytes of encoded records are compared.
    package func isSame(as copy: Copy) -> Bool {
        switch (content, copy) {
        case (.decoded(let record), .decoded(let other)): record == other
        case (.encoded(let record), .encoded(let bytes)): record.hasBytes(bytes)
        default: false
        }
    }

    /// Passes the encoded form of the record to a closure. A record that a store keeps decoded is encoded first.
    package func withEncoded<Result>(_ body: (EncodedRecord) throws -> Result) throws -> Result {
        if case .encoded(let encoded) = content { return try body(encoded) }
        return try record().withEncoded(body)
    }

    /// Decodes all fields of the record.
    ///
    /// - Returns: The record.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/corrupted`` if the stored bytes are not a
    ///   record.
    public func record() throws(DataStoreError) -> Record {
        switch content {
        case .decoded(let record): return record
        case .encoded(let record): return try record.record()
        case .nested(let record, let fields): return try record.record(of: fields)
        }
    }
}
