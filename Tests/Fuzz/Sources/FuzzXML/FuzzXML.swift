import FuzzSupport
import PlistProperties
@testable import DataStorePlist

/// Reads arbitrary bytes as an XML property list. libFuzzer calls this function for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzXML(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    PlistProperties.check(unsafe inputBytes(start, count), .xml) ? 0 : -1
}
