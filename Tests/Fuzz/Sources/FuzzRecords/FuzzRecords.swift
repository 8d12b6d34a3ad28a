import FuzzProperties
import FuzzSupport

/// Creates a record from each input, writes it and reads it. It then changes single bytes of the encoding and decodes
/// the result, so that the decoder gets many nearly valid inputs. libFuzzer calls this function for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzRecords(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var source = RecordSource(unsafe inputBytes(start, count))
    let record = source.record()
    guard var bytes = Properties.checkWriting(record, cutAt: source.number(2)) else { return 0 }
    var changeCount = 0
    while !source.isEmpty, changeCount < 8 {
        bytes[source.number(2) % bytes.count] ^= source.byte()
        changeCount += 1
    }
    if changeCount > 0 { Properties.checkReading(bytes) }
    return 0
}
