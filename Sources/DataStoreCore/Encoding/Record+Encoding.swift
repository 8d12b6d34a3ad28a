extension Record {
    /// Encodes the record and passes the encoded form to a closure.
    package func withEncoded<Result, Failure>(
        _ body: (EncodedRecord) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let encoded = EncodedRecord()
        let bytes = CBOREncoder.bytes(of: self)
        return try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
            unsafe encoded.begin(buffer)
            // The bytes are valid only within this closure.
            defer { encoded.end() }
            return try body(encoded)
        }
    }
}
