package import DataStoreCore

/// An error which states that a file cannot be read, with the reason and the position. It is the underlying error of a
/// `DataStoreError` with the code `corrupted`.
package struct PropertyListError: Error, Hashable {
    /// The code of the error for the caller: `corrupted`, `notAStore` or `unsupportedFormat`.
    package let code: DataStoreError.Code
    /// The reason without the position.
    package let reason: String
    /// The position of the error, in bytes from the start of the file.
    package let offset: Int
    /// The line and column in an XML file. It is `nil` for a binary file, and before ``located(_:in:_:)``.
    package private(set) var position: TextPosition?

    init(_ reason: String, at offset: Int, _ code: DataStoreError.Code = .corrupted) {
        self.code = code
        self.reason = reason
        self.offset = offset
    }

    /// Returns the error of a file with its line and column.
    func located(in bytes: [UInt8], _ format: PlistDataStore.Format) -> PropertyListError {
        Self.located([self], in: bytes, format).first ?? self
    }

    /// Returns the errors of a file with their lines and columns, which a single scan of the file determines.
    static func located(
        _ errors: [PropertyListError], in bytes: [UInt8], _ format: PlistDataStore.Format
    ) -> [PropertyListError] {
        guard format == .xml else { return errors }
        return zip(errors, TextPosition.positions(of: errors.map(\.offset), in: bytes)).map { error, position in
            var error = error
            error.position = position
            return error
        }
    }
}

extension PropertyListError: CustomStringConvertible {
    /// The reason and the position, e.g. `…, at line 3, column 7 (byte 120)` or `…, at byte 120`.
    package var description: String {
        guard let position else { return "\(reason), at byte \(offset)" }
        return "\(reason), at line \(position.line), column \(position.column) (byte \(offset))"
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
package struct PropertyListLoss: Hashable, Sendable {
    /// The kind of the damaged part and its name, which is escaped for display.
    package enum Part: Hashable, Sendable {
        /// A record, given by its collection and id.
        case record(String)
        /// A collection, given by its name. Its records after the damaged position are lost.
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
    package internal(set) var error: PropertyListError
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
        return PropertyListError(reason, at: error.offset, error.code)
    }
}

extension PropertyListLoss: CustomStringConvertible {
    /// One sentence that describes the damage.
    package var description: String {
        switch part {
        case .record(let name): "the record \(name) is lost: \(error)"
        case .collection(let name): "the collection \(name) is damaged: \(error)"
        case .entry(let name): "the entry \(name) is lost: \(error)"
        case .file: "\(error)"
        }
    }
}
