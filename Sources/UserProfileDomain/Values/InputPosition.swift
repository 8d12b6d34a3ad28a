/// How far an input has been read: whole lines, with a sum of what was in them, so that it can be told whether another
/// input begins in the same way.
package struct InputPosition: Hashable, Sendable {
    /// How many bytes.
    package var byteCount: Int64
    /// How many lines.
    package var lineCount: Int64
    /// FNV-1a (64 bits) of the bytes.
    package var checksum: UInt64

    /// The beginning of every input.
    package static let start = InputPosition(byteCount: 0, lineCount: 0, checksum: 0xCBF2_9CE4_8422_2325)

    /// Describes a position.
    ///
    /// - Parameters:
    ///   - byteCount: how many bytes were read.
    ///   - lineCount: how many lines that is.
    ///   - checksum: FNV-1a (64 bits) of the bytes.
    package init(byteCount: Int64, lineCount: Int64, checksum: UInt64) {
        self.byteCount = byteCount
        self.lineCount = lineCount
        self.checksum = checksum
    }
}
