/// A decoder that reads single fields of an encoded record in place. A transaction reuses one decoder for all records
/// that it reads.
@usableFromInline
package final class StoredRecord {
    private let record = EncodedRecord()
    // Reused, because creating a view for each record takes as long as reading a field.
    @usableFromInline let view: RecordView
    private var isInUse = false
    /// The decoder of another record, which is read while this decoder is in use.
    private lazy var nested = StoredRecord()

    /// Creates a decoder without a record.
    package init() { view = RecordView(record) }

    // The decoder may refer to the record.
    deinit { record.takeDecoder() }

    /// Passes a view of a record to a closure. The closure may call this function with another record.
    ///
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    @inlinable @inline(__always)
    package func withView<Result>(
        of cbor: Span<UInt8>, _ body: (borrowing RecordView) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        try unsafe cbor.withUnsafeBufferPointer { buffer throws(DataStoreError) in
            // A nested view needs its own decoder.
            guard unsafe begin(buffer) else { return try withNestedView(of: cbor, body) }
            defer { end() }
            return try body(view)
        }
    }

    /// Verifies the stored bytes of a record, and passes a view of it to a closure.
    @inlinable @inline(__always)
    package func view<Result>(
        _ frame: Span<UInt8>, of key: Span<UInt8>, _ body: (borrowing RecordView) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        try RecordFrame.verify(frame, key: key)
        return try withView(of: frame.extracting(droppingFirst: RecordFrame.headCount), body)
    }

    /// Passes a view of a record to a closure, while this decoder reads another record.
    @usableFromInline
    func withNestedView<Result>(
        of cbor: Span<UInt8>, _ body: (borrowing RecordView) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        try nested.withView(of: cbor, body)
    }

    /// Begins to read a record.
    ///
    /// - Parameter cbor: The encoded record. It must be valid until ``end()`` is called.
    /// - Returns: Whether the decoder was free. If not, it continues to read the previous record.
    @usableFromInline
    func begin(_ cbor: UnsafeBufferPointer<UInt8>) -> Bool {
        if isInUse { return false }
        isInUse = true
        unsafe record.begin(cbor)
        return true
    }

    /// Ends reading the record. Its bytes may become invalid afterwards.
    @usableFromInline
    func end() {
        record.end()
        isInUse = false
    }
}
