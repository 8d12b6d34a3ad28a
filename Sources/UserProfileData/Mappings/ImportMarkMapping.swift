package import DataStoreCore
package import UserProfileDomain

/// Marks of imports that are not over, as records of the collection `imports`.
package struct ImportMarkMapping: RecordMapping {
    private static let byteCount = "byteCount"
    private static let lineCount = "lineCount"
    private static let checksum = "checksum"
    private static let savedCount = "savedCount"
    private static let skippedCount = "skippedCount"

    /// `imports`.
    package let collection = "imports"

    /// The fields of a mark.
    package let fieldNames = [byteCount, lineCount, checksum, savedCount, skippedCount]

    /// Makes the mapping.
    package init() {}

    /// The id as it is.
    package func text(of id: String) -> String { id }

    /// The id as it is.
    package func id(of text: String) -> String { text }

    /// The fields of a mark; all are integers, the checksum with the bits of the unsigned one.
    package func record(of mark: ImportMark) -> Record {
        [
            ImportMarkMapping.byteCount: .integer(mark.position.byteCount),
            ImportMarkMapping.lineCount: .integer(mark.position.lineCount),
            ImportMarkMapping.checksum: .integer(Int64(bitPattern: mark.position.checksum)),
            ImportMarkMapping.savedCount: .integer(mark.savedCount),
            ImportMarkMapping.skippedCount: .integer(mark.skippedCount),
        ]
    }

    /// The mark of a record.
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
