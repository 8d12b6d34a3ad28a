import FuzzProperties
import FuzzSupport

/// Reads arbitrary bytes as CBOR and as a frame. libFuzzer calls this function for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzCBOR(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Properties.checkReading(unsafe inputBytes(start, count))
    return 0
}
