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
        do throws(DataStoreError) {
            self = try CBORDecoder.onlyValue(in: bytes, depth: 1)
        } catch {
            throw DataStoreError(
                .corrupted, "not a value: its bytes are corrupted", underlying: error.underlying)
        }
    }
}

extension Record {
    /// Decodes a record that ``CBOREncoder`` has encoded.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the bytes are not the encoding of exactly one record.
    package init(cbor bytes: Span<UInt8>) throws(DataStoreError) {
        guard case .record(let record) = try CBORDecoder.onlyValue(in: bytes, depth: 0) else {
            throw .noRecord("not a map", at: 0)
        }
        self = record
    }
}

extension DataStoreError {
    /// Returns an error which states that bytes have a valid checksum but are not a record, and the reason.
    @inline(never)
    static func noRecord(_ rule: String, at offset: Int) -> DataStoreError {
        DataStoreError(
            .corrupted, "not a record, although the checksum matches: the record is corrupted",
            underlying: CBORDecoder.Failure(rule: rule, offset: offset))
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
