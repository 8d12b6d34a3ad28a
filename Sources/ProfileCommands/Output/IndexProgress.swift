/// Says on a terminal which index is being made, and how far it goes.
struct IndexProgress {
    private let line = ProgressLine()

    /// Shows how far it has come.
    ///
    /// - Parameters:
    ///   - index: the index, as `users by birthday`.
    ///   - count: how many records have been looked at.
    func show(_ index: String, _ count: Int) {
        line.show("profile-cli: making the index of \(index): \(Int64(count).counted("record"))")
    }

    /// Makes room for what is said next.
    func clear() { line.clear() }
}
