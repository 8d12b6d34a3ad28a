/// Reads any bytes as a property-list file. libFuzzer calls this for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPlist(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer keeps the input until this returns; what is kept is a copy.
    PlistProperties.check(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
