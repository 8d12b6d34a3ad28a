/// A progress line on the terminal that shows which index is being built.
struct IndexProgress {
    private let line = ProgressLine()

    /// Shows the progress of an index.
    ///
    /// - Parameters:
    ///   - index: The name of the index, e.g. `users by birthday`.
    ///   - count: The number of records that have been processed.
    func show(_ index: String, _ count: Int) {
        line.show("profile-cli: building the index \(index): \(Int64(count).counted("record"))")
    }

    /// Clears the line, so that a message can be written.
    func clear() { line.clear() }
}
