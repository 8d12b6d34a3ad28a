/// Reads arbitrary bytes as a property-list file. libFuzzer calls this function for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPlist(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer owns the input, which is valid until this function returns, so it is copied.
    PlistProperties.check(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
