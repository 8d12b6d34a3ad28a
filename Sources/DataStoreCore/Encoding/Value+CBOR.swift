extension Value {
    /// The value as deterministic CBOR, in the form in which ``CBOREncoder`` writes it into a record.
    package var cbor: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: CBOREncoder.maximumByteCount(of: self)) { CBOREncoder.encode(self, &$0) }
        return bytes
    }

    /// Decodes a value that ``cbor`` has encoded.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the bytes are not the encoding of exactly one value.
    package init(cbor bytes: Span<UInt8>) throws(DataStoreError) {
        do throws(CBORDecoder.Failure) {
            var offset = 0
            self = try CBORDecoder.value(in: bytes, at: &offset, depth: 1)
            guard offset == bytes.count else {
                throw CBORDecoder.Failure(rule: "bytes follow the end of the value", offset: offset)
            }
        } catch {
            throw DataStoreError(.corrupted, "not a value: its bytes are corrupted", underlying: error)
        }
    }
}
