import ProfileFormats

/// A reporter for the invalid lines of an input. It reports only a limited number of lines.
final class LineErrors {
    /// The maximum number of lines that are reported.
    private static let maximumCount = 100

    private let progress: TransferProgress
    private var count = 0

    init(_ progress: TransferProgress) { self.progress = progress }

    /// Reports an invalid line, unless the maximum number of reports has been reached.
    func report(_ error: ProfileFormatError) {
        count += 1
        guard count <= Self.maximumCount else { return }
        progress.clear()
        Console.error("\(error)")
    }

    /// Writes how many further invalid lines were not reported, if any.
    func end() {
        guard count > Self.maximumCount else { return }
        progress.clear()
        Console.error("… and \(count - Self.maximumCount) more invalid lines")
    }
}
