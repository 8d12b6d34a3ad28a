import ProfileFormats

/// Tells of the lines of an input that have something wrong, but not of thousands.
final class LineErrors {
    /// How many are told of.
    private static let shownCount = 100

    private let progress: TransferProgress
    private var count = 0

    init(_ progress: TransferProgress) { self.progress = progress }

    /// Tells of one.
    func tell(_ error: ProfileFormatError) {
        count += 1
        guard count <= Self.shownCount else { return }
        progress.clear()
        Console.error("\(error)")
    }

    /// Says how many there were that it has not told of.
    func end() {
        guard count > Self.shownCount else { return }
        progress.clear()
        Console.error("… and \(count - Self.shownCount) more lines with something wrong")
    }
}
