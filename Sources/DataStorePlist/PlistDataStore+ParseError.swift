extension PlistDataStore {
    /// Where a file stops being what it should be, and why: the cause of a `corrupted`.
    public struct ParseError: Error, Sendable, Hashable {
        /// What is wrong there.
        public let reason: String

        /// How many bytes of the file come before it.
        public let byteOffset: Int

        /// The line in an XML file, the first being 1; nil in a binary one.
        public let line: Int?

        /// The character in that line, the first being 1; nil in a binary one.
        public let column: Int?

        init(_ failure: ParseFailure, in bytes: [UInt8], format: Format) {
            reason = failure.reason
            byteOffset = failure.offset
            guard format == .xml else {
                (line, column) = (nil, nil)
                return
            }
            let before = bytes.prefix(failure.offset)
            let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            line = before.count { $0 == UInt8(ascii: "\n") } + 1
            // Characters, not bytes: what continues one (10xxxxxx) does not count.
            column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        }
    }
}

extension PlistDataStore.ParseError: CustomStringConvertible {
    /// The place, for a person: `line 3, column 7 (byte 120)` or `byte 120`.
    public var place: String {
        if let line, let column { "line \(line), column \(column) (byte \(byteOffset))" } else { "byte \(byteOffset)" }
    }

    /// What is wrong, and where.
    public var description: String { "\(reason), at \(place)" }
}
