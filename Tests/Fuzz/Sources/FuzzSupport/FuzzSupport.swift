/// Ends the program if a property does not hold; libFuzzer keeps the input.
///
/// It replaces `precondition`, which omits its message in an optimized build.
public func require(_ holds: Bool, _ property: @autoclosure () -> String) {
    if !holds { fatalError(property()) }
}

/// Returns a copy of an input. libFuzzer owns the input, which is valid until the fuzzed function returns.
public func inputBytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: start, count: count))
}
