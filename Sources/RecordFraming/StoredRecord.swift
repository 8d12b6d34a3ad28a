public import DataStoreCore

/// A decoder that reads single fields of an encoded record in place. A transaction reuses one decoder for all records
/// that it reads.
@usableFromInline
package final class StoredRecord {
    private let fields: StoredFields
    // Reused, because creating a view for each record takes as long as reading a field.
    @usableFromInline let view: RecordView
    private var isInUse = false

    /// Creates a decoder without a record.
    package init() {
        fields = StoredFields()
        view = RecordView(fields)
    }

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

    /// Passes a view of a record to a closure, while this decoder reads another record.
    @usableFromInline
    func withNestedView<Result>(
        of cbor: Span<UInt8>, _ body: (borrowing RecordView) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        try StoredRecord().withView(of: cbor, body)
    }

    /// Begins to read a record.
    ///
    /// - Parameter cbor: The encoded record. It must be valid until ``end()`` is called.
    /// - Returns: Whether the decoder was free. If not, it continues to read the previous record.
    @usableFromInline
    func begin(_ cbor: UnsafeBufferPointer<UInt8>) -> Bool {
        if isInUse { return false }
        isInUse = true
        unsafe fields.begin(cbor)
        return true
    }

    /// Ends reading the record. Its bytes may become invalid afterwards.
    @usableFromInline
    func end() {
        fields.end()
        isInUse = false
    }
}

/// The fields of the record that a ``StoredRecord`` reads.
///
/// - Safety: `@safe` because ``StoredRecord`` calls ``end()`` before the bytes become invalid. Afterwards, no function
///   accesses these bytes.
@safe
private final class StoredFields: RecordSource {
    // Private, so that the compiler can prove that accesses do not overlap. Otherwise each read checks that at run
    // time.
    private var bytes = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The position after the last value that was read, or `nil` if none was read.
    private var walk: FieldWalk?

    /// Begins to read a record. Its bytes must be valid until ``end()`` is called.
    func begin(_ cbor: UnsafeBufferPointer<UInt8>) {
        unsafe bytes = cbor
        walk = nil
    }

    /// Ends reading the record. Its bytes may become invalid afterwards.
    func end() { unsafe bytes = UnsafeBufferPointer(start: nil, count: 0) }

    func value(of name: String) throws(DataStoreError) -> Value? {
        let bytes = unsafe bytes.span
        // A copy, so that an error leaves the position unchanged.
        var walk = walk ?? FieldWalk(bytes)
        do throws(CBORDecoder.Failure) {
            let value = try name.withBytes { (name) throws(CBORDecoder.Failure) -> Value? in
                try walk.value(of: name, in: bytes)
            }
            self.walk = walk
            return value
        } catch {
            throw RecordFrame.noRecord(error)
        }
    }

    func withTexts(
        of first: StaticString, _ second: StaticString, _ body: (Span<UInt8>, Span<UInt8>) -> Void
    ) throws(DataStoreError) -> Bool {
        let bytes = unsafe bytes.span
        // A literal exists as long as the program.
        let firstName = unsafe UnsafeBufferPointer(start: first.utf8Start, count: first.utf8CodeUnitCount)
        let secondName = unsafe UnsafeBufferPointer(start: second.utf8Start, count: second.utf8CodeUnitCount)
        do throws(CBORDecoder.Failure) {
            var walk = FieldWalk(bytes)
            guard let firstText = try walk.shortText(of: unsafe firstName.span, in: bytes),
                let secondText = try walk.shortText(of: unsafe secondName.span, in: bytes)
            else { return false }
            body(bytes.extracting(firstText), bytes.extracting(secondText))
            return true
        } catch {
            throw RecordFrame.noRecord(error)
        }
    }

    func record() throws(DataStoreError) -> Record {
        do {
            return try CBORDecoder.record(in: unsafe bytes.span)
        } catch {
            throw RecordFrame.noRecord(error)
        }
    }
}
