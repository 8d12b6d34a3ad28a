/// A position at the start of a line of an input, with a checksum of all bytes before the position.
///
/// An interrupted import of the input resumes at the position only if the bytes before the position still have the same
/// checksum.
package struct InputPosition: Hashable, Sendable {
    /// The number of bytes before the position.
    package var byteCount: Int64
    /// The number of lines before the position.
    package var lineCount: Int64
    /// The 64-bit FNV-1a checksum of the bytes before the position.
    package var checksum: UInt64

    /// The position before the first line of any input.
    package static let start = InputPosition(byteCount: 0, lineCount: 0, checksum: 0xCBF2_9CE4_8422_2325)

    /// Creates a position.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes before the position.
    ///   - lineCount: The number of lines before the position.
    ///   - checksum: The 64-bit FNV-1a checksum of the bytes before the position.
    package init(byteCount: Int64, lineCount: Int64, checksum: UInt64) {
        self.byteCount = byteCount
        self.lineCount = lineCount
        self.checksum = checksum
    }
}
