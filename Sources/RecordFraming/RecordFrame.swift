public import DataStoreCore

/// The encoding of a stored record: a version byte, the CRC-32C of key and record (four bytes, big-endian), and the
/// record as CBOR.
///
/// The checksum covers the key, so that a record under a wrong key is detected, too.
@usableFromInline
package enum RecordFrame {
    private static let version: UInt8 = 1
    /// The number of bytes before the CBOR.
    @inlinable package static var headCount: Int { 5 }

    /// Replaces the contents of an array with the encoded record and its checksum.
    package static func write(_ record: Record, key: Span<UInt8>, to frame: inout [UInt8]) {
        begin(record, &frame)
        finish(&frame, key: key)
    }

    /// Replaces the contents of an array with the encoded record and a placeholder for the checksum.
    package static func begin(_ record: Record, _ frame: inout [UInt8]) {
        frame.removeAll(keepingCapacity: true)
        frame.append(version)
        // A placeholder for the checksum.
        for _ in 1..<headCount { frame.append(0) }
        CBOREncoder.append(record, to: &frame)
    }

    /// Writes the checksum into a frame that ``begin(_:_:)`` has created, for the key under which the record is stored.
    package static func finish(_ frame: inout [UInt8], key: Span<UInt8>) {
        let sum = checksum(key, frame.span.extracting(droppingFirst: headCount))
        for index in 0..<4 { frame[index + 1] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * index)) }
    }

    /// Verifies the checksum of a stored record, and returns the range of the CBOR in the frame.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the version is unknown, the bytes have changed, or the
    ///   record was written under another key.
    @inlinable
    package static func body(of frame: Span<UInt8>, key: Span<UInt8>) throws(DataStoreError) -> Range<Int> {
        try verify(frame, key: key)
        return headCount..<frame.count
    }

    /// Verifies the checksum of a stored record, and decodes the record.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the version is unknown, the bytes have changed, the
    ///   record was written under another key, or the bytes are not a record.
    package static func record(in frame: Span<UInt8>, key: Span<UInt8>) throws(DataStoreError) -> Record {
        let body = frame.extracting(try body(of: frame, key: key))
        do {
            return try CBORDecoder.record(in: body)
        } catch {
            throw noRecord(error)
        }
    }

    /// Returns an error which states that bytes have a valid checksum but are not a record.
    static func noRecord(_ error: CBORDecoder.Failure) -> DataStoreError {
        DataStoreError(
            .corrupted, "not a record, although the checksum matches: the record is corrupted", underlying: error)
    }

    /// Verifies the checksum of a stored record.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the version is unknown or the checksum does not match.
    @usableFromInline
    package static func verify(_ frame: Span<UInt8>, key: Span<UInt8>) throws(DataStoreError) {
        guard frame.count >= headCount, frame[0] == version else {
            throw DataStoreError(.corrupted, "not a record: its bytes are corrupted")
        }
        var stored: UInt32 = 0
        for index in 1...4 { stored = stored << 8 | UInt32(frame[index]) }
        guard checksum(key, frame.extracting(droppingFirst: headCount)) == stored else {
            throw DataStoreError(.corrupted, "checksum mismatch: the record is corrupted")
        }
    }

    private static func checksum(_ key: Span<UInt8>, _ body: Span<UInt8>) -> UInt32 {
        var crc = CRC32C()
        crc.add(key)
        crc.add(body)
        return crc.value
    }
}
