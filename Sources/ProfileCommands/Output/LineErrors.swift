import ProfileFormats

/// Reports invalid lines of an input, up to a maximum number.
final class LineErrors {
    /// The maximum number of lines that are reported.
    private static let maximumCount = 100

    private let progress: TransferProgress
    private var count = 0

    init(_ progress: TransferProgress) { self.progress = progress }

    /// Reports an invalid line.
    func report(_ error: ProfileFormatError) {
        count += 1
        guard count <= Self.maximumCount else { return }
        progress.clear()
        Console.error("\(error)")
    }

    /// Reports how many invalid lines were suppressed.
    func end() {
        guard count > Self.maximumCount else { return }
        progress.clear()
        Console.error("… and \(count - Self.maximumCount) more invalid lines")
    }
}
