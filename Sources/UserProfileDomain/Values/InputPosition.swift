/// A position in an input after a whole line, with a checksum of all bytes before it.
///
/// The checksum shows whether another input begins with the same bytes, so that an import can be resumed.
package struct InputPosition: Hashable, Sendable {
    /// The number of bytes before the position.
    package var byteCount: Int64
    /// The number of lines before the position.
    package var lineCount: Int64
    /// The FNV-1a checksum (64 bits) of the bytes before the position.
    package var checksum: UInt64

    /// The start of every input.
    package static let start = InputPosition(byteCount: 0, lineCount: 0, checksum: 0xCBF2_9CE4_8422_2325)

    /// Creates a position.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes before the position.
    ///   - lineCount: The number of lines before the position.
    ///   - checksum: The FNV-1a checksum (64 bits) of the bytes before the position.
    package init(byteCount: Int64, lineCount: Int64, checksum: UInt64) {
        self.byteCount = byteCount
        self.lineCount = lineCount
        self.checksum = checksum
    }
}
