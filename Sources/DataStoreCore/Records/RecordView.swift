/// The fields of a stored record, read one at a time where they are: what is not asked for is not decoded.
///
/// It cannot be kept beyond the closure that it is given to.
///
/// ```swift
/// let address = try store.read { transaction in
///     try transaction.withView(of: key) { record in try record.value(of: "mailAddress") }
/// }
/// ```
public struct RecordView: ~Copyable {
    private enum Source {
        case record(Record)
        case encoded(any EncodedRecord)
    }

    private let source: Source

    /// Shows a record that a store keeps as it is. Only stores make views.
    public init(_ record: Record) { source = .record(record) }

    /// Shows a record that a store keeps encoded. Only stores make views.
    public init(_ encoded: any EncodedRecord) { source = .encoded(encoded) }

    /// The value of a field, or nil where the record has none of that name.
    ///
    /// - Parameter name: the name of the field.
    /// - Returns: the value, or nil.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/corrupted`` where the bytes are not a record.
    public func value(of name: String) throws(DataStoreError) -> Value? {
        switch source {
        case .record(let record): record[name]
        case .encoded(let encoded): try encoded.value(of: name)
        }
    }

    /// All fields.
    ///
    /// - Returns: the record.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/corrupted`` where the bytes are not a record.
    public func record() throws(DataStoreError) -> Record {
        switch source {
        case .record(let record): record
        case .encoded(let encoded): try encoded.record()
        }
    }
}

/// What a store implements that keeps records encoded: how they are read where they are.
public protocol EncodedRecord: AnyObject {
    /// The value of a field, or nil where the record has none of that name.
    func value(of name: String) throws(DataStoreError) -> Value?

    /// All fields.
    func record() throws(DataStoreError) -> Record
}
