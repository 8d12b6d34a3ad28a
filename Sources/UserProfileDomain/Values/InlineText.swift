/// An ASCII string of at most 32 bytes that is stored in the value itself. Creating, copying and destroying it requires
/// neither heap memory nor reference counts.
///
/// `String` stores at most 15 bytes in this way, and most mail addresses are longer. A program that reads many users
/// needs only some of their addresses as strings.
struct InlineText: Equatable, Sendable {
    // The characters, eight in each word, with the first one in the lowest bits. Zero bytes follow the text. The
    // compiler passes a vector in registers, but four integers in memory.
    private let words: SIMD4<UInt64>

    /// Creates an inline text.
    ///
    /// - Parameter bytes: The ASCII characters of the text, none of which is NUL, followed by zero bytes.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    init(_ bytes: InlineArray<32, UInt8>) {
        func word(at start: Int) -> UInt64 {
            func byte(_ index: Int) -> UInt64 { UInt64(bytes[start + index]) << (8 * index) }
            // This is not a loop, so that the compiler can combine the eight bytes into one word.
            return byte(0) | byte(1) | byte(2) | byte(3) | byte(4) | byte(5) | byte(6) | byte(7)
        }
        words = SIMD4(word(at: 0), word(at: 8), word(at: 16), word(at: 24))
    }

    /// The text as a string. Each access creates the string.
    var text: String {
        let decoded = { String(decoding: (0..<count).map { byte(at: $0) }, as: UTF8.self) }
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return decoded() }
        let bytes = InlineArray<32, UInt8> { byte(at: $0) }
        do {
            return String(copying: try UTF8Span(validating: bytes.span.extracting(first: count)))
        } catch {
            return decoded()
        }
    }

    private func byte(at index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: words[index / 8] >> (8 * UInt64(index % 8)))
    }

    /// The number of bytes before the zero bytes.
    private var count: Int {
        var last = 3
        while last > 0, words[last] == 0 { last -= 1 }
        return 8 * (last + 1) - words[last].leadingZeroBitCount / 8
    }
}
