package import DataStoreCore
package import UserProfileDomain

/// A mapping of the marks of unfinished imports to records of the collection `imports`.
package struct ImportMarkMapping: RecordMapping {
    private static let byteCount = "byteCount"
    private static let lineCount = "lineCount"
    private static let checksum = "checksum"
    private static let savedCount = "savedCount"
    private static let skippedCount = "skippedCount"

    /// The collection `imports`.
    package let collection = "imports"

    /// The names of a mark's fields.
    package let fieldNames = [byteCount, lineCount, checksum, savedCount, skippedCount]

    /// Creates the mapping.
    package init() {}

    /// Returns the id unchanged.
    package func text(of id: String) -> String { id }

    /// Returns the text unchanged.
    package func id(of text: String) -> String { text }

    /// Returns the fields of a mark. All are integers; the checksum keeps the bits of its unsigned value.
    package func record(of mark: ImportMark) -> Record {
        [
            ImportMarkMapping.byteCount: .integer(mark.position.byteCount),
            ImportMarkMapping.lineCount: .integer(mark.position.lineCount),
            ImportMarkMapping.checksum: .integer(Int64(bitPattern: mark.position.checksum)),
            ImportMarkMapping.savedCount: .integer(mark.savedCount),
            ImportMarkMapping.skippedCount: .integer(mark.skippedCount),
        ]
    }

    /// Returns the mark that a record contains.
    package func entity(of record: borrowing RecordView, id: String) throws -> ImportMark {
        ImportMark(
            id: id,
            position: InputPosition(
                byteCount: try record.required(ImportMarkMapping.byteCount, \.integer),
                lineCount: try record.required(ImportMarkMapping.lineCount, \.integer),
                checksum: UInt64(bitPattern: try record.required(ImportMarkMapping.checksum, \.integer))),
            savedCount: try record.required(ImportMarkMapping.savedCount, \.integer),
            skippedCount: try record.required(ImportMarkMapping.skippedCount, \.integer))
    }
}
