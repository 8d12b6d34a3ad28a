package import DataStoreCore
package import UserProfileDomain

/// A mapping of the checkpoints of unfinished imports to records of the collection `imports`.
package struct ImportCheckpointMapping: RecordMapping {
    private static let byteCount = "byteCount"
    private static let lineCount = "lineCount"
    private static let checksum = "checksum"
    private static let savedCount = "savedCount"
    private static let skippedCount = "skippedCount"

    /// The collection `imports`.
    package let collection = "imports"

    /// The names of a checkpoint's fields.
    package let fieldNames = [byteCount, lineCount, checksum, savedCount, skippedCount]

    /// Creates the mapping.
    package init() {}

    /// Returns the id unchanged.
    package func text(of id: String) -> String { id }

    /// Returns the text unchanged.
    package func id(of text: String) -> String { text }

    /// Returns the fields of a checkpoint. All are integers; the checksum keeps the bits of its unsigned value.
    package func record(of checkpoint: ImportCheckpoint) -> Record {
        [
            ImportCheckpointMapping.byteCount: .integer(checkpoint.position.byteCount),
            ImportCheckpointMapping.lineCount: .integer(checkpoint.position.lineCount),
            ImportCheckpointMapping.checksum: .integer(Int64(bitPattern: checkpoint.position.checksum)),
            ImportCheckpointMapping.savedCount: .integer(checkpoint.savedCount),
            ImportCheckpointMapping.skippedCount: .integer(checkpoint.skippedCount),
        ]
    }

    /// Returns the checkpoint that a record contains.
    package func entity(of record: borrowing RecordView, id: String) throws -> ImportCheckpoint {
        ImportCheckpoint(
            id: id,
            position: InputPosition(
                byteCount: try record.required(ImportCheckpointMapping.byteCount, \.integer),
                lineCount: try record.required(ImportCheckpointMapping.lineCount, \.integer),
                checksum: UInt64(bitPattern: try record.required(ImportCheckpointMapping.checksum, \.integer))),
            savedCount: try record.required(ImportCheckpointMapping.savedCount, \.integer),
            skippedCount: try record.required(ImportCheckpointMapping.skippedCount, \.integer))
    }
}
