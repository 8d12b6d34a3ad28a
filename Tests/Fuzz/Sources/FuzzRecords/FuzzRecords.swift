import FuzzProperties

/// Makes a record of each input, writes and reads it; then changes single bytes of what was written and reads that, so
/// that the decoder sees much that is nearly right. libFuzzer calls this for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzRecords(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer keeps the input until this returns; what is kept is a copy.
    var source = RecordSource(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
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
