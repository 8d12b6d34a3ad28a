/// Shows on a terminal which index is being built, and its progress.
struct IndexProgress {
    private let line = ProgressLine()

    /// Shows the progress of an index.
    ///
    /// - Parameters:
    ///   - index: The name of the index, such as `users by birthday`.
    ///   - count: The number of records that have been processed.
    func show(_ index: String, _ count: Int) {
        line.show("profile-cli: building the index \(index): \(Int64(count).counted("record"))")
    }

    /// Clears the line, so that a message can be written.
    func clear() { line.clear() }
}
