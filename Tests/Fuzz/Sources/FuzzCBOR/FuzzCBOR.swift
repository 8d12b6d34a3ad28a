import FuzzProperties

/// Reads arbitrary bytes as CBOR and as a frame. libFuzzer calls this function for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzCBOR(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer owns the input, which is valid until this function returns, so it is copied.
    Properties.checkReading(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
