/// The progress of an unfinished import of users. An interrupted import resumes from its checkpoint.
///
/// ```swift
/// let result = try await storage.importUsers(options) { try nextBytes() }
/// print(result.savedCount, result.skippedCount)
/// ```
///
/// The checkpoint is saved in the same transaction as the imported users, so it matches the saved users even after a
/// crash.
public struct ImportCheckpoint: Identifiable, Hashable, Codable, Sendable {
    /// The name of the imported input: 1 to 200 bytes of UTF-8 without control characters.
    public let id: String

    /// The position up to which the input has been read. All users before this position are saved, and all invalid
    /// lines before it are skipped.
    package var position: InputPosition

    /// The number of users that have been saved.
    public var savedCount: Int64

    /// The number of lines that were skipped because they are invalid.
    public var skippedCount: Int64

    /// Creates a checkpoint.
    ///
    /// - Parameters:
    ///   - id: The name of the imported input: 1 to 200 bytes of UTF-8 without control characters.
    ///   - position: The position up to which the input has been read.
    ///   - savedCount: The number of users that have been saved.
    ///   - skippedCount: The number of lines that were skipped because they are invalid.
    package init(id: String, position: InputPosition = .start, savedCount: Int64 = 0, skippedCount: Int64 = 0) {
        self.id = id
        self.position = position
        self.savedCount = savedCount
        self.skippedCount = skippedCount
    }
}
