/// An error in a property-list file, with the reason, the position and the damaged part. It is the underlying error of
/// a `DataStoreError` with the code `corrupted`, or a loss of a file that is recovered.
package struct PropertyListError: Error {
    /// The kind of a damaged part and its name, which is escaped for display.
    package enum Part: Sendable {
        /// A record, given by its collection and id.
        case record(String)
        /// A collection, given by its name. Its records after the damaged position are lost.
        case collection(String)
        /// An entry of another program, given by its key.
        case entry(String)
        /// A part that cannot be assigned to a record, a collection or an entry, e.g. the missing end of a truncated
        /// file.
        case file

        /// Returns the reason of an error after the name and the state of the part.
        func reason(_ reason: String, _ state: String) -> String {
            switch self {
            case .record(let name): "the record \(name) is \(state): \(reason)"
            case .collection(let name): "the collection \"\(name)\" is damaged: \(reason)"
            case .entry(let key): "the entry \"\(key)\" is \(state): \(reason)"
            case .file: reason
            }
        }
    }

    /// The code of the error for the caller: `corrupted`, `notAStore` or `unsupportedFormat`.
    package let code: DataStoreError.Code
    /// The reason without the position.
    package private(set) var reason: String
    /// The position of the error, in bytes from the start of the file.
    package let offset: Int
    /// The line and column in an XML file. It is `nil` for a binary file.
    package private(set) var position: (line: Int, column: Int)?
    /// The part that is lost.
    package internal(set) var part = Part.file
    /// Whether other records or entries, whose keys are unknown, may be lost together with the part.
    var hidesMore = false

    init(_ reason: String, at offset: Int, _ code: DataStoreError.Code = .corrupted) {
        self.code = code
        self.reason = reason
        self.offset = offset
    }

    /// The error to throw for the whole file instead of recovering it. Its reason names the damaged part.
    package var errorOfFile: PropertyListError {
        var error = self
        error.reason = part.reason(reason, "damaged")
        error.part = .file
        return error
    }

    /// The error of the store in the file.
    var ofStore: DataStoreError {
        switch code {
        case .notAStore: .notAStore(reason)
        case .unsupportedFormat: DataStoreError(.unsupportedFormat, reason)
        default: .damaged("\(self)", underlying: self)
        }
    }

    /// Returns the errors of a file with their lines and columns, which a single scan of the file determines.
    static func located(
        _ errors: [PropertyListError], in bytes: [UInt8], _ format: PlistDataStore.Format
    ) -> [PropertyListError] {
        guard format == .xml else { return errors }
        return zip(errors, positions(of: errors.map(\.offset), in: bytes)).map { error, position in
            var error = error
            error.position = position
            return error
        }
    }

    /// Returns the lines and columns of byte offsets in a text file, as editors display them: both start at 1, and
    /// columns count characters.
    ///
    /// The file is scanned once, regardless of the number of offsets.
    package static func positions(of offsets: [Int], in bytes: [UInt8]) -> [(line: Int, column: Int)] {
        var positions = Array(repeating: (line: 1, column: 1), count: offsets.count)
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
            positions[index] = (line, column)
        }
        return positions
    }
}

extension PropertyListError: CustomStringConvertible {
    /// The lost part, the reason and the position, e.g. `…, at line 3, column 7 (byte 120)` or `…, at byte 120`.
    package var description: String {
        var text = "\(reason), at byte \(offset)"
        if let (line, column) = position { text = "\(reason), at line \(line), column \(column) (byte \(offset))" }
        return part.reason(text, "lost")
    }
}
