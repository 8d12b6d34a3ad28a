package import DataStoreCore
package import UserProfileDomain

/// A mapping of the checkpoints of unfinished imports to records of the collection `imports`.
package struct ImportCheckpointMapping: RecordMapping {
    private static let byteCount = "byteCount"
    private static let lineCount = "lineCount"
    private static let checksum = "checksum"
    private static let savedCount = "savedCount"
    private static let skippedCount = "skippedCount"

    /// The name of the collection, `imports`.
    package let collection = "imports"

    /// The names of the fields in the record of a checkpoint.
    package let fieldNames = [byteCount, lineCount, checksum, savedCount, skippedCount]

    /// Creates the mapping.
    package init() {}

    /// Returns the record of a checkpoint. All fields are integers. The unsigned checksum is stored as the integer with
    /// the same bits.
    package func record(of checkpoint: ImportCheckpoint) -> Record {
        [
            ImportCheckpointMapping.byteCount: .integer(checkpoint.position.byteCount),
            ImportCheckpointMapping.lineCount: .integer(checkpoint.position.lineCount),
            ImportCheckpointMapping.checksum: .integer(Int64(bitPattern: checkpoint.position.checksum)),
            ImportCheckpointMapping.savedCount: .integer(checkpoint.savedCount),
            ImportCheckpointMapping.skippedCount: .integer(checkpoint.skippedCount),
        ]
    }

    /// Decodes a checkpoint from a record. Throws a ``FieldError`` if a field is missing or invalid.
    package func entity(of record: borrowing RecordView, id: String) throws -> ImportCheckpoint {
        ImportCheckpoint(
            id: id,
            position: InputPosition(
                byteCount: try record.required(ImportCheckpointMapping.byteCount),
                lineCount: try record.required(ImportCheckpointMapping.lineCount),
                checksum: UInt64(bitPattern: try record.required(ImportCheckpointMapping.checksum, as: Int64.self))),
            savedCount: try record.required(ImportCheckpointMapping.savedCount),
            skippedCount: try record.required(ImportCheckpointMapping.skippedCount))
    }
}
