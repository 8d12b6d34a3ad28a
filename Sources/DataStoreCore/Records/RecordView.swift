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
    private enum Content: ~Copyable {
        case whole(Record)
        case kept(any RecordSource)
    }

    private let content: Content

    // Not inlined: where it is, the compiler fails on a closure that is given a view (Swift 6.3.1).
    /// Shows a record that a store keeps in its own way. Only stores make views.
    @inline(never)
    public init(_ source: any RecordSource) { content = .kept(source) }

    /// Shows a record as it is.
    @inline(never)
    public init(_ record: Record) { content = .whole(record) }

    /// What the view is of.
    var source: any RecordSource {
        switch content {
        case .whole(let record): WholeRecord(record)
        case .kept(let source): source
        }
    }

    /// The value of a field, or nil where the record has none of that name.
    ///
    /// - Parameter name: the name of the field.
    /// - Returns: the value, or nil.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/corrupted`` where the bytes are not a record.
    public func value(of name: String) throws(DataStoreError) -> Value? {
        switch content {
        case .whole(let record): record[name]
        case .kept(let source): try source.value(of: name)
        }
    }

    /// All fields.
    ///
    /// - Returns: the record.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/corrupted`` where the bytes are not a record.
    public func record() throws(DataStoreError) -> Record {
        switch content {
        case .whole(let record): record
        case .kept(let source): try source.record()
        }
    }
}

/// What a store implements that keeps records encoded: how they are read where they are.
public protocol RecordSource: AnyObject {
    /// The value of a field, or nil where the record has none of that name.
    func value(of name: String) throws(DataStoreError) -> Value?

    /// All fields.
    func record() throws(DataStoreError) -> Record
}

/// A record that is there as a whole, where one that is kept in some way is expected.
private final class WholeRecord: RecordSource {
    private let whole: Record

    init(_ whole: Record) { self.whole = whole }

    func value(of name: String) -> Value? { whole[name] }

    func record() -> Record { whole }
}
