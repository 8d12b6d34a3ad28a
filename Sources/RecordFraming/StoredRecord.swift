package import DataStoreCore

/// A record of the environment that is read where it is, in the map. Each transaction has one, for the record that it
/// shows at the moment.
///
/// - Safety: `@safe` because the bytes are those of a span that ``show(_:_:)`` was given and are read only while its closure
///   runs: the view that the closure gets cannot be kept.
@safe
package final class StoredRecord: RecordSource {
    @usableFromInline var bytes = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    @usableFromInline var isShown = false

    /// Creates a place for a record.
    @inlinable
    package init() {}

    /// Shows the CBOR of a record as its fields. Within the closure another record may be shown, and both be read.
    @inlinable
    package func show<Result>(_ cbor: Span<UInt8>, _ body: (borrowing RecordView) -> Result) -> Result {
        // A view within a view has a place of its own.
        if isShown { return StoredRecord().show(cbor, body) }
        isShown = true
        defer { isShown = false }
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
