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

    /// Passes the bytes of two encoded strings to a closure. The store does not validate that the bytes are UTF-8.
    ///
    /// Reading both in one call is faster than reading two values.
    ///
    /// - Parameters:
    ///   - first: The name of the first field. It is a literal, so a store can compare its bytes without creating a
    ///     `String`.
    ///   - second: The name of the second field, which must follow `first` in the order of a record's fields.
    ///   - body: A closure that receives the bytes of both strings. The bytes of a missing field are empty.
    /// - Returns: Whether `body` was called. The result is `false` if the record is not encoded, and it may be `false`
    ///   if a value is empty, long or not a string. In these cases, call ``value(of:)``.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/corrupted`` if the bytes are not a record.
    @inlinable
    package func withTexts(
        of first: StaticString, _ second: StaticString, _ body: (Span<UInt8>, Span<UInt8>) -> Void
    ) throws(DataStoreError) -> Bool {
        switch content {
        case .whole: false
        case .source(let source): try source.withTexts(of: first, second, body)
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

    /// Passes the bytes of the encoded strings in two fields to a closure, and returns whether the closure was called.
    func withTexts(
        of first: StaticString, _ second: StaticString, _ body: (Span<UInt8>, Span<UInt8>) -> Void
    ) throws(DataStoreError) -> Bool

    /// Decodes all fields of the record.
    func record() throws(DataStoreError) -> Record
}
