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
    @usableFromInline
    enum Content: ~Copyable {
        case whole(Record)
        case source(any RecordSource)
    }

    @usableFromInline let content: Content

    // The initializers are not inlined. Otherwise the compiler (Swift 6.3.1) crashes on a closure that receives a view.
    /// Creates a view of an encoded record. Only stores of this package call this initializer.
    @inline(never)
    package init(_ source: any RecordSource) { content = .source(source) }

    /// Creates a view of a decoded record. Call it in a ``ReadBackend`` of your own.
    @inline(never)
    public init(_ record: Record) { content = .whole(record) }

    /// Decodes the value of a field.
    ///
    /// - Parameter name: The name of the field.
    /// - Returns: The value, or `nil` if the record has no field with that name.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/corrupted`` if the stored bytes are not a
    ///   record.
    public func value(of name: String) throws(DataStoreError) -> Value? {
        switch content {
        case .whole(let record): record[name]
        case .source(let source): try source.value(of: name)
        }
    }

    /// Passes the UTF-8 bytes of a text to a closure, without creating a string. Conditions use it.
    ///
    /// - Returns: The result of the closure, or `nil` if the field is missing or is not a string.
    package func withText<Result>(
        of name: String, _ body: (Span<UInt8>) -> Result
    ) throws(DataStoreError) -> Result? {
        switch content {
        case .whole(let record):
            guard case .string(let text)? = record[name] else { return nil }
            return text.withBytes(body)
        case .source(let source):
            var result: Result?
            try source.readText(of: name) { result = body($0) }
            return result
        }
    }

    /// The encoded record, or `nil` if the record is decoded.
    package var source: (any RecordSource)? {
        switch content {
        case .whole: nil
        case .source(let source): source
        }
    }

    /// Decodes all fields of the record.
    ///
    /// - Returns: The record.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/corrupted`` if the stored bytes are not a
    ///   record.
    public func record() throws(DataStoreError) -> Record {
        switch content {
        case .whole(let record): record
        case .source(let source): try source.record()
        }
    }
}

/// An encoded record that decodes its fields one by one. A ``RecordView`` of an encoded record uses this protocol.
@usableFromInline
package protocol RecordSource: AnyObject {
    /// Decodes the value of a field. Returns `nil` if the record has no field with that name.
    func value(of name: String) throws(DataStoreError) -> Value?

    /// Passes the UTF-8 bytes of a text to a closure, if the field exists and is a string.
    func readText(of name: String, _ body: (Span<UInt8>) -> Void) throws(DataStoreError)

    /// Decodes all fields of the record.
    func record() throws(DataStoreError) -> Record
}
