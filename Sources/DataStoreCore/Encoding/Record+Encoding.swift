extension Record {
    /// Encodes the record and passes the encoded form to a closure.
    package func withEncoded<Result, Failure>(
        _ body: (EncodedRecord) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(EncodedRecord(CBOREncoder.bytes(of: self)))
    }
}
