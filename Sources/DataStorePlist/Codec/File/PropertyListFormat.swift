/// The format of a property-list file.
package enum PropertyListFormat: Sendable {
    /// XML text in UTF-8.
    case xml
    /// The binary format `bplist00`.
    case binary

    /// The number of bytes at the start of a file from which its format is detected.
    package static let prefixByteCount = 1024

    /// Detects the format from the first bytes of a file. Returns `nil` if the file is not a property list.
    ///
    /// Bytes after the first ``prefixByteCount`` are ignored, so a caller can reject a large file before reading all of
    /// it.
    ///
    /// - Parameter bytes: The file, or at least its first ``prefixByteCount`` bytes.
    package init?(firstBytes bytes: some Collection<UInt8>) {
        var prefix = Array(bytes.prefix(Self.prefixByteCount))[...]
        if prefix.starts(with: BinaryReader.signature) {
            self = .binary
            return
        }
        if prefix.starts(with: [0xEF, 0xBB, 0xBF]) { prefix = prefix.dropFirst(3) }
        prefix = prefix.drop(while: XMLReader.isSpace)
        let beginnings = ["<?xml", "<!DOCTYPE plist", "<plist", "<!--"]
        guard beginnings.contains(where: { prefix.starts(with: $0.utf8) }) else { return nil }
        self = .xml
    }

    /// Returns the reason for which a file with these first bytes has no format.
    package static func rejection(firstBytes bytes: some Collection<UInt8>) -> String {
        // A byte order mark, or the character `<`.
        let isUTF16 = [[0xFE, 0xFF], [0xFF, 0xFE], [0, 0x3C], [0x3C, 0]].contains(Array(bytes.prefix(2)))
        return isUTF16
            ? "the encoding is UTF-16; convert the file (iconv -f UTF-16 -t UTF-8), and change the encoding in its "
                + "first line to UTF-8"
            : "neither an XML nor a binary property list"
    }
}

/// An error which states that a file cannot be read, with the reason and the position.
package struct PropertyListError: Error {
    /// The kind of the error.
    package enum Kind: Sendable {
        /// The file is damaged.
        case damaged
        /// The file is a property list of another program.
        case notAStore
        /// The records have a newer format than this version of the library supports.
        case formatTooNew
    }

    /// The kind of the error.
    package let kind: Kind
    /// The reason without the position.
    package let reason: String
    /// The position of the error, in bytes from the start of the file.
    package let offset: Int

    init(_ reason: String, at offset: Int, _ kind: Kind = .damaged) {
        self.kind = kind
        self.reason = reason
        self.offset = offset
    }
}

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

/// A part of a damaged file that could not be read.
package struct PropertyListLoss: Sendable {
    /// The kind of the damaged part and its name, which is escaped for display.
    package enum Part: Hashable, Sendable {
        /// A record, given by its collection and id.
        case record(String)
        /// A collection, given by its name.
        case collection(String)
        /// An entry of another program, given by its key.
        case entry(String)
        /// A part that cannot be assigned to a record, a collection or an entry, e.g. the missing end of a truncated
        /// file.
        case file
    }

    /// The damaged part.
    package let part: Part
    /// The reason and the position of the damage.
    package let error: PropertyListError
    /// Whether other records or entries, whose keys are unknown, may be lost together with this part.
    package let hidesMore: Bool

    /// The error to throw for the whole file. Its reason names the damaged part.
    var errorOfFile: PropertyListError {
        let reason =
            switch part {
            case .record(let name): "the record \(name) is damaged: \(error.reason)"
            case .collection(let name): "the collection \"\(name)\" is damaged: \(error.reason)"
            case .entry(let key): "the entry \"\(key)\" is damaged: \(error.reason)"
            case .file: error.reason
            }
        return PropertyListError(reason, at: error.offset, error.kind)
    }
}
