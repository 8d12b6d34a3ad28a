/// The progress of an unfinished import. Use it to resume an interrupted import.
///
/// It is saved in the same transaction as the imported profiles, so it is exact however the import ended.
public struct ImportCheckpoint: Identifiable, Hashable, Sendable {
    /// The name of the input: 1 to 200 bytes of UTF-8 without control characters.
    public let id: String

    /// The position up to which the input has been read. All profiles before it are saved, except the skipped ones.
    package var position: InputPosition

    /// The number of saved profiles.
    public var savedCount: Int64

    /// The number of lines that were skipped because they are invalid.
    public var skippedCount: Int64

    /// Creates a checkpoint.
    ///
    /// - Parameters:
    ///   - id: The name of the input.
    ///   - position: The position up to which the input has been read.
    ///   - savedCount: The number of saved profiles.
    ///   - skippedCount: The number of skipped lines.
    package init(id: String, position: InputPosition = .start, savedCount: Int64 = 0, skippedCount: Int64 = 0) {
        self.id = id
        self.position = position
        self.savedCount = savedCount
        self.skippedCount = skippedCount
    }
}
