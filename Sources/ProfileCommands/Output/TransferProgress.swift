import Synchronization

/// Says how many profiles have been transferred, how fast, and how long it will take.
final class TransferProgress: Sendable {
    private struct State {
        var shownAt: ContinuousClock.Instant?
        /// The first position: a resumed import does not begin at zero.
        var first: (count: Int64, fraction: Double)?
    }

    private let line = ProgressLine()
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let state = Mutex(State())

    init() { start = clock.now }

    /// Whether it is seen while it changes.
    var isShown: Bool { line.isTerminal }

    /// Shows how far it has come, a few times a second at most.
    ///
    /// - Parameters:
    ///   - count: how many profiles so far.
    ///   - fraction: which part of the work is done, 0 to 1; nil where that is not known.
    func show(_ count: Int64, of fraction: Double?) {
        guard line.isTerminal else { return }
        let now = clock.now
        let begun: (count: Int64, fraction: Double)? = state.withLock { state in
            if let shownAt = state.shownAt, shownAt.duration(to: now) < .milliseconds(100) { return nil }
            state.shownAt = now
            let first = state.first ?? (count, fraction ?? 0)
            state.first = first
            return first
        }
        guard let first = begun else { return }
        let seconds = start.duration(to: now) / .seconds(1)
        var text = "profile-cli: \(count.counted("profile"))"
        if seconds > 0, count > first.count { text += ", \(Int64(Double(count - first.count) / seconds).grouped)/s" }
        if let fraction, fraction > first.fraction {
            text += ", \(Self.words(seconds * (1 - fraction) / (fraction - first.fraction))) left"
        }
        line.show(text)
    }

    /// Makes room for a message.
    func clear() { line.clear() }

    /// Says what it came to.
    func end(_ text: String) { line.end("profile-cli: \(text)") }

    /// How long it took.
    var duration: String { Self.words(start.duration(to: clock.now) / .seconds(1)) }

    private static func words(_ seconds: Double) -> String {
        switch seconds {
        case ..<10: "\((seconds * 10).rounded() / 10) s"
        case ..<60: "\(Int(seconds)) s"
        case ..<3600: "\(Int(seconds) / 60) min \(Int(seconds) % 60) s"
        default: "\(Int(min(seconds, 1e9)) / 3600) h \(Int(min(seconds, 1e9)) % 3600 / 60) min"
        }
    }
}

extension Int64 {
    /// The number with what is counted, e.g. `2 profiles`.
    func counted(_ singular: String) -> String { "\(grouped) \(singular)\(self == 1 ? "" : "s")" }

    /// The number with commas between groups of three digits.
    var grouped: String {
        var text = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3), digit != "-" { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
