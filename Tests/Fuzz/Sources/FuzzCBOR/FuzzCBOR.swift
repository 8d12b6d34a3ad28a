import FuzzProperties

/// Reads any bytes as CBOR and as a frame. libFuzzer calls this for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzCBOR(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer keeps the input until this returns; what is kept is a copy.
    Properties.checkReading(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
