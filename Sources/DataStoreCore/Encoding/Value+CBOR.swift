extension Value {
    /// The value as deterministic CBOR, in the form in which ``CBOREncoder`` writes it into a record.
    package var cbor: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(cbor: self)
        return bytes
    }

    /// Decodes a value that ``cbor`` has encoded.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the bytes are not the encoding of exactly one value.
    package init(cbor bytes: Span<UInt8>) throws(DataStoreError) {
        self = try Value.single(in: bytes) { (bytes, offset) throws(CBORDecoder.Failure) in
            try CBORDecoder.value(in: bytes, at: &offset, depth: 1)
        }
    }

    /// Throws an error with the code `corrupted` unless bytes consist of one encoded value, which is not decoded.
    package static func requireSingle(inCBOR bytes: Span<UInt8>) throws(DataStoreError) {
        try single(in: bytes, CBORDecoder.skipValue)
    }

    @inline(__always)
    private static func single<Result>(
        in bytes: Span<UInt8>, _ read: (Span<UInt8>, inout Int) throws(CBORDecoder.Failure) -> Result
    ) throws(DataStoreError) -> Result {
        do throws(CBORDecoder.Failure) {
            var offset = 0
            let result = try read(bytes, &offset)
            guard offset == bytes.count else {
                throw CBORDecoder.Failure(rule: "bytes follow the end of the value", offset: offset)
            }
            return result
        } catch {
            throw DataStoreError(.corrupted, "not a value: its bytes are corrupted", underlying: error)
        }
    }
}

extension Record {
    /// Decodes a record that ``CBOREncoder`` has encoded.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the bytes are not the encoding of exactly one record.
    package init(cbor bytes: Span<UInt8>) throws(DataStoreError) {
        do throws(CBORDecoder.Failure) {
            var offset = 0
            guard case .record(let record) = try CBORDecoder.value(in: bytes, at: &offset, depth: 0) else {
                throw CBORDecoder.Failure(rule: "not a map", offset: 0)
            }
            guard offset == bytes.count else {
                throw CBORDecoder.Failure(rule: "bytes follow the end of the record", offset: offset)
            }
            self = record
        } catch {
            throw .noRecord(error)
        }
    }
}

extension DataStoreError {
    /// Returns an error which states that bytes have a valid checksum but are not a record.
    static func noRecord(_ error: CBORDecoder.Failure) -> DataStoreError {
        DataStoreError(
            .corrupted, "not a record, although the checksum matches: the record is corrupted", underlying: error)
    }
}

extension [UInt8] {
    /// Appends a value as deterministic CBOR.
    package mutating func append(cbor value: Value) {
        append(addingCapacity: CBOREncoder.maximumByteCount(of: value)) { CBOREncoder.encode(value, &$0) }
    }

    /// Appends a string as deterministic CBOR.
    package mutating func append(cbor text: String) {
        append(addingCapacity: CBOREncoder.maximumHeadCount + text.utf8.count) { CBOREncoder.encode(text, &$0) }
    }
}
