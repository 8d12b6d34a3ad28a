package import DataStoreCore

/// A decoder that reads single fields of an encoded record in place. A transaction reuses one decoder for all records
/// that it reads.
///
/// - Safety: `@safe` because the bytes belong to the span passed to ``withView(of:_:)`` and are read only while its
///   closure runs: the closure cannot keep the view.
@safe
package final class StoredRecord: RecordSource {
    // The property is private, so that the compiler can prove that accesses do not overlap. Otherwise each read checks
    // for overlaps at run time.
    private var bytes = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    private var isInUse = false

    /// Creates a decoder without a record.
    package init() {}

    /// Passes a view of a record to a closure. The closure may view another record.
    ///
    /// - Returns: The result of the closure, which states whether a scan continues. The result is not generic, because
    ///   that would slow a scan by a tenth.
    package func withView(
        of cbor: Span<UInt8>, _ body: (borrowing RecordView) -> Scan.Step
    ) -> Scan.Step {
        // A nested view needs another decoder.
        if isInUse { return StoredRecord().withView(of: cbor, body) }
        isInUse = true
        defer { isInUse = false }
        return unsafe cbor.withUnsafeBufferPointer { buffer in
            unsafe bytes = buffer
            return body(RecordView(self))
        }
    }

    package func value(of name: String) throws(DataStoreError) -> Value? {
        do {
            return try CBORDecoder.value(of: name, in: unsafe bytes.span)
        } catch {
            throw RecordFrame.noRecord(error)
        }
    }

    package func record() throws(DataStoreError) -> Record {
        do {
            return try CBORDecoder.record(in: unsafe bytes.span)
        } catch {
            throw RecordFrame.noRecord(error)
        }
    }
}
