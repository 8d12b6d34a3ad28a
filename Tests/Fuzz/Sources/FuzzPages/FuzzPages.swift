import FuzzSupport

/// Changes the pages of an LMDB store as the input says, then checks, salvages, reads and writes it. libFuzzer calls
/// this function for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPages(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let edits = PageEdit.edits(unsafe inputBytes(start, count))
    let properties = PageProperties(original)
    waiting { await properties.check(edits) }
    return 0
}

/// The store that each input damages.
private let original = waiting { await OriginalStore.make() }
