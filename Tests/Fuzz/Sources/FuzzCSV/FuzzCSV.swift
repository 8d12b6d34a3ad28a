import FuzzSupport
import ProfileProperties
@testable import ProfileFormats
@testable import UserProfileDomain

/// Reads arbitrary bytes as comma-separated values. The first byte chooses the chunks and whether unknown columns are
/// ignored. libFuzzer calls this function for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzCSV(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe inputBytes(start, count)
    guard let first = bytes.first else { return -1 }
    let text = Array(bytes.dropFirst())
    let reading = ProfileProperties.check(
        text, chunkByteCount: Int(first / 2), .csv, ignoresUnknown: first.isMultiple(of: 2))
    let expected = Rows(text)?.users(ignoresUnknown: first.isMultiple(of: 2))
    require((expected != nil) == reading.errors.isEmpty, "the reader and the grammar disagree: \(reading.errors)")
    if let expected {
        require(
            ProfileProperties.texts(of: reading.users) == ProfileProperties.texts(of: expected), "other rows are read")
    }
    return 0
}
