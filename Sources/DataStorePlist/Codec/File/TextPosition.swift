/// A position in a text file, as editors display it.
package struct TextPosition: Hashable, Sendable {
    /// The line, starting at 1.
    package let line: Int
    /// The position in the line, in characters counted from 1.
    package let column: Int

    /// Returns the lines and columns of byte offsets in a file.
    ///
    /// The file is scanned once, regardless of the number of offsets.
    package static func positions(of offsets: [Int], in bytes: [UInt8]) -> [TextPosition] {
        var positions = Array(repeating: TextPosition(line: 1, column: 1), count: offsets.count)
        var (line, column, scanned) = (1, 1, 0)
        for index in offsets.indices.sorted(by: { offsets[$0] < offsets[$1] }) {
            let end = min(max(offsets[index], 0), bytes.count)
            for byte in bytes[min(scanned, end)..<end] {
                if byte == UInt8(ascii: "\n") {
                    (line, column) = (line + 1, 1)
                } else if byte & 0xC0 != 0x80 {
                    // A byte of the form 10xxxxxx continues a character.
                    column += 1
                }
            }
            scanned = end
            positions[index] = TextPosition(line: line, column: column)
        }
        return positions
    }
}
