/// A view of a stored record that decodes only the requested fields.
///
/// Use it to read a few fields of a large record. It is valid only in the closure that receives it.
///
/// ```swift
/// let address = try store.read { transaction in
///     try transaction.withView(of: key) { record in try record.value(of: "mailAddress") }
/// }
/// ```
public struct RecordView: ~Copyable {
    private enum Content: ~Copyable {
        case whole(Record)
        case source(any RecordSource)
    }

    private let content: Content

    // Not inlined: otherwise the compiler crashes on a closure that receives a view (Swift 6.3.1).
    /// Creates a view of a record in a store's own encoding. Only stores create views.
    @inline(never)
    package init(_ source: any RecordSource) { content = .source(source) }

    /// Creates a view of a decoded record.
    @inline(never)
    public init(_ record: Record) { content = .whole(record) }

    /// The source of the fields.
    var source: any RecordSource {
        switch content {
        case .whole(let record): WholeRecord(record)
        case .source(let source): source
        }
    }

    /// Returns the value of a field, or `nil` if the record has no field of that name.
    ///
    /// - Parameter name: The name of the field.
    /// - Returns: The value, or `nil`.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/corrupted`` if the bytes are not a record.
    public func value(of name: String) throws(DataStoreError) -> Value? {
        switch content {
        case .whole(let record): record[name]
        case .source(let source): try source.value(of: name)
        }
    }

    /// Returns the record with all of its fields.
    ///
    /// - Returns: The record.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/corrupted`` if the bytes are not a record.
    public func record() throws(DataStoreError) -> Record {
        switch content {
        case .whole(let record): record
        case .source(let source): try source.record()
        }
    }
}

/// A source of the fields of an encoded record. A store that keeps records encoded implements it for ``RecordView``.
package protocol RecordSource: AnyObject {
    /// Returns the value of a field, or `nil` if the record has no field of that name.
    func value(of name: String) throws(DataStoreError) -> Value?

    /// Returns the record with all of its fields.
    func record() throws(DataStoreError) -> Record
}

/// A decoded record as a source.
private final class WholeRecord: RecordSource {
    private let whole: Record

    init(_ whole: Record) { self.whole = whole }

    func value(of name: String) -> Value? { whole[name] }

    func record() -> Record { whole }
}
