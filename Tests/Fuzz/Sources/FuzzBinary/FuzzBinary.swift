import FuzzSupport
import PlistProperties
@testable import DataStorePlist

/// Reads arbitrary bytes as a binary property list. libFuzzer calls this function for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzBinary(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    PlistProperties.check(unsafe inputBytes(start, count), .binary) ? 0 : -1
}
