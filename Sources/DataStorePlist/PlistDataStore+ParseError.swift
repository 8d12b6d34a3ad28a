extension PlistDataStore {
    /// A syntax error in a property-list file and its position. It is the underlying error of a `DataStoreError` with
    /// the code `corrupted`.
    package struct ParseError: Error, Sendable, Hashable {
        /// The reason without the position.
        package let reason: String

        /// The number of bytes in the file before the error.
        package let byteOffset: Int

        /// The line of the error in an XML file, starting at 1. It is `nil` in a binary file.
        package let line: Int?

        /// The position in the line, in characters counted from 1. It is `nil` in a binary file.
        package let column: Int?

        init(_ error: PropertyListError, in bytes: [UInt8], _ format: PropertyListFormat) {
            self.init(
                error, format == .xml ? TextPosition.positions(of: [error.offset], in: bytes).first : nil)
        }

        private init(_ error: PropertyListError, _ position: TextPosition?) {
            reason = error.reason
            byteOffset = error.offset
            line = position?.line
            column = position?.column
        }

        /// Returns the parse errors of a file with their lines and columns, which a single scan of the file determines.
        static func errors(
            _ errors: [PropertyListError], in bytes: [UInt8], _ format: PropertyListFormat
        ) -> [PlistDataStore.ParseError] {
            guard format == .xml else { return errors.map { PlistDataStore.ParseError($0, nil) } }
            let positions = TextPosition.positions(of: errors.map(\.offset), in: bytes)
            return zip(errors, positions).map { PlistDataStore.ParseError($0, $1) }
        }
    }
}

extension PlistDataStore.ParseError: CustomStringConvertible {
    /// The position as text, e.g. `line 3, column 7 (byte 120)` or `byte 120`.
    package var position: String {
        if let line, let column { "line \(line), column \(column) (byte \(byteOffset))" } else { "byte \(byteOffset)" }
    }

    /// The reason and the position of the error.
    package var description: String { "\(reason), at \(position)" }
}
