// The declarations of this target use this module. Its re-export serves the files here and the programs that import
// the target.
@_exported public import DataStoreCore

/// The encoding of a stored record: a version byte, the CRC-32C of key and record (four bytes, big-endian), and the
/// record as CBOR.
///
/// The checksum also covers the key. A record that is stored under the wrong key therefore fails verification.
@usableFromInline
package enum RecordFrame {
    private static let version: UInt8 = 1
    /// The number of bytes before the CBOR.
    @inlinable package static var headCount: Int { 5 }

    /// Passes the frame of a record under a key to a closure, in a stack buffer.
    @inlinable @inline(__always)
    package static func with<Result, Failure>(
        _ record: Record, key: Span<UInt8>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnfinished(record, nil) { (frame) throws(Failure) in
            finish(&frame, key: key)
            return try body(frame.span)
        }
    }

    /// Passes the frame of a record to a closure, in a stack buffer. The frame has a placeholder for the checksum,
    /// which ``finish(_:key:)`` replaces.
    @inlinable @inline(__always)
    package static func withUnfinished<Result>(
        _ record: borrowing RecordView, _ body: (inout MutableSpan<UInt8>) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        let encoded = record.whole
        return try withUnfinished(encoded == nil ? record.record() : Record(), encoded, body)
    }

    /// Passes the frame of a record to a closure. `encoded` is the encoded form of the record if it is known.
    @inlinable @inline(__always)
    static func withUnfinished<Result, Failure>(
        _ record: Record, _ encoded: EncodedRecord?, _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: maximumByteCount(of: record, encoded)
        ) { (buffer) throws(Failure) in
            let count = unsafe encode(record, encoded, to: buffer)
            // The first `count` bytes are initialized.
            var frame = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<count]).mutableSpan
            return try body(&frame)
        }
    }

    @usableFromInline
    static func maximumByteCount(of record: Record, _ encoded: EncodedRecord?) -> Int {
        headCount + (encoded?.byteCount ?? CBOREncoder.maximumByteCount(of: record))
    }

    /// Encodes a record and a placeholder for the checksum, and returns the number of bytes.
    @usableFromInline
    static func encode(
        _ record: Record, _ encoded: EncodedRecord?, to buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
        output.append(version)
        output.append(repeating: 0, count: headCount - 1)
        if let encoded { encoded.copy(to: &output) } else { CBOREncoder.encode(record, to: &output) }
        return unsafe output.finalize(for: buffer)
    }

    /// Computes the checksum of the record and its key, and writes it into a frame.
    @usableFromInline
    package static func finish(_ frame: inout MutableSpan<UInt8>, key: Span<UInt8>) {
        let sum = checksum(key, frame.span.extracting(droppingFirst: headCount))
        for index in 0..<4 { frame[index + 1] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * index)) }
    }

    /// Verifies the checksum of a stored record, and decodes the record.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the version is unknown, the bytes have changed, the
    ///   record was written under another key, or the bytes are not a record.
    package static func record(in frame: Span<UInt8>, key: Span<UInt8>) throws(DataStoreError) -> Record {
        try verify(frame, key: key)
        return try Record(cbor: frame.extracting(droppingFirst: headCount))
    }

    /// Verifies the checksum of a stored record. The CBOR follows the first ``headCount`` bytes of its frame.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the version is unknown, the bytes have changed, or the
    ///   record was written under another key.
    @usableFromInline
    package static func verify(_ frame: Span<UInt8>, key: Span<UInt8>) throws(DataStoreError) {
        guard frame.count >= headCount, frame[0] == version else {
            throw DataStoreError(.corrupted, "not a record: its bytes are corrupted")
        }
        // The load ends within the head.
        let stored = unsafe frame.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 1, as: UInt32.self)
        guard checksum(key, frame.extracting(droppingFirst: headCount)) == UInt32(bigEndian: stored) else {
            throw DataStoreError(.corrupted, "checksum mismatch: the record is corrupted")
        }
    }

    @inline(__always)
    private static func checksum(_ key: Span<UInt8>, _ body: Span<UInt8>) -> UInt32 {
        var crc = CRC32C()
        crc.add(key)
        crc.add(body)
        return crc.value
    }
}
