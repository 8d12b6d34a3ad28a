/// How far an import has come that is not over. It is kept with what was imported, in the same transaction, so it is
/// exact however the import ended.
public struct ImportMark: Identifiable, Hashable, Sendable {
    /// Which input: a name without control characters, 1 to 200 bytes of UTF-8.
    public let id: String

    /// How far the input has been read. All profiles up to there are saved, but those that were skipped.
    package var position: InputPosition

    /// How many profiles were saved.
    public var savedCount: Int64

    /// How many lines were skipped because something is wrong with them.
    public var skippedCount: Int64

    /// Describes a mark.
    ///
    /// - Parameters:
    ///   - id: which input.
    ///   - position: how far the input has been read.
    ///   - savedCount: how many profiles were saved.
    ///   - skippedCount: how many lines were skipped.
    package init(id: String, position: InputPosition = .start, savedCount: Int64 = 0, skippedCount: Int64 = 0) {
        self.id = id
        self.position = position
        self.savedCount = savedCount
        self.skippedCount = skippedCount
    }
}
