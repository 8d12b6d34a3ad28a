import DataStoreSystem
import Synchronization

/// A progress line on a terminal, updated in place.
final class ProgressLine: Sendable {
    private struct State {
        /// The operation that is in progress, or `nil` if the work consists of one operation.
        var operation: String?
        /// The time at which the operation began.
        var start: ContinuousClock.Instant
        var shownAt: ContinuousClock.Instant?
        /// The progress at the first update, or `nil` before it. The rate and the remaining time are computed from the
        /// progress since then, because a resumed import does not begin at zero.
        var first: (count: Int, fraction: Double)?
    }

    /// Whether the line is written: on a terminal, unless the output is quiet or JSON.
    let isShown = Console.isErrorTerminal && !Console.style.isQuiet && !Console.style.isJSON
    private let noun: String
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let state: Mutex<State>
    /// The shown text, and the number of texts that were shown or cleared.
    private let current = Mutex((text: "", number: 0))
    private let invalidCount = Atomic(0)

    /// Creates a progress line that counts items with the given name.
    init(of noun: String) {
        self.noun = noun
        start = clock.now
        state = Mutex(State(start: start))
    }

    /// Shows a number of items with their rate and the remaining time, at most a few times a second.
    ///
    /// - Parameters:
    ///   - count: The number of items processed so far.
    ///   - total: The number of all items, or `nil` if it is unknown.
    ///   - fraction: The completed fraction of the work, or `nil` to compute it from the total.
    ///   - operation: The operation that processes the items, or `nil` if there is only one.
    func show(_ count: Int, outOf total: Int? = nil, fraction: Double? = nil, in operation: String? = nil) {
        guard isShown else { return }
        let fraction = (fraction ?? total.map { Double(count) / Double(max(1, $0)) }).map { min(1, $0) }
        let now = clock.now
        let shown: State? = state.withLock { state in
            if state.operation != operation { state = State(operation: operation, start: now) }
            if let shownAt = state.shownAt, shownAt.duration(to: now) < .milliseconds(100) { return nil }
            state.shownAt = now
            state.first = state.first ?? (count, fraction ?? 0)
            return state
        }
        guard let shown, let first = shown.first else { return }
        let seconds = shown.start.duration(to: now) / .seconds(1)
        let items = total.map { "\(count.grouped) of \($0.counted(noun))" } ?? count.counted(noun)
        var text = "\(operation.map { "\($0): " } ?? "")\(items)"
        if seconds > 0, count > first.count { text += ", \(Int(Double(count - first.count) / seconds).grouped)/s" }
        if let fraction, fraction > first.fraction {
            text += ", \(Self.text(ofSeconds: seconds * (1 - fraction) / (fraction - first.fraction))) left"
        }
        show(text)
    }

    /// Shows the number of records from which an index, e.g. `users by birthday`, has been built.
    func showIndex(_ index: String, _ count: Int) { show(count, in: "building the index \(index)") }

    /// Shows a text with the elapsed time until the next call, for work that does not report its progress.
    func showElapsed(_ text: String) {
        guard isShown else { return }
        show(text)
        let number = current.withLock(\.number)
        _ = Thread.start { [self] in
            repeat { usleep(500_000) } while show("\(text): \(duration)", updating: number)
        }
    }

    /// Shows a text. This function can be called on any thread.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - number: The number of the shown text that this one updates, or `nil` to show another text.
    /// - Returns: Whether the text is shown. It is `false` if another text has replaced it.
    @discardableResult
    func show(_ text: String, updating number: Int? = nil) -> Bool {
        guard isShown else { return false }
        // A line that is wider than the terminal would wrap, and a carriage return would not reach its start. The width
        // is queried each time, because the terminal may have been resized.
        let text = "profile-cli: \(text)".printable.prefix(columns: max(1, Console.width - 1))
        return current.withLock { current in
            if let number, number != current.number { return false }
            if number == nil { current.number += 1 }
            guard current.text != text else { return true }
            current.text = text
            // The escape sequence returns to the start of the line and erases the rest of a longer text.
            Console.writeError("\r\u{1B}[K\(text)")
            return true
        }
    }

    /// Reports an invalid line of an input, but at most a hundred of them.
    func report(_ error: ProfileFormatError) {
        guard invalidCount.add(1, ordering: .relaxed).newValue <= 100 else { return }
        clear()
        Console.warn("\(error)")
    }

    /// Clears the line, and reports how many invalid lines ``report(_:)`` has omitted.
    func end() {
        clear()
        let count = invalidCount.load(ordering: .relaxed)
        if count > 100 { Console.warn("… and \(count - 100) more invalid lines") }
    }

    /// Clears the line, so that a message can be written.
    func clear() {
        current.withLock { current in
            if !current.text.isEmpty { Console.writeError("\r\u{1B}[K") }
            current = ("", current.number + 1)
        }
    }

    /// The time since this object was created, as text.
    var duration: String { Self.text(ofSeconds: start.duration(to: clock.now) / .seconds(1)) }

    private static func text(ofSeconds seconds: Double) -> String {
        switch seconds {
        case ..<10: "\((seconds * 10).rounded() / 10) s"
        case ..<60: "\(Int(seconds)) s"
        case ..<3600: "\(Int(seconds) / 60) min \(Int(seconds) % 60) s"
        default: "\(Int(min(seconds, 1e9)) / 3600) h \(Int(min(seconds, 1e9)) % 3600 / 60) min"
        }
    }
}

extension ProgressLine {
    /// Runs the long part of a command, with a progress line that is removed at its end.
    ///
    /// - Parameters:
    ///   - text: What the command does, or `nil` if the closure shows its progress itself.
    ///   - isCancellable: Whether signals cancel the command from now on. Otherwise they end the program at once.
    ///   - body: The part of the command.
    /// - Returns: The result of the closure.
    /// - Throws: Any error of the closure.
    static func during<Result>(
        _ text: String? = nil, isCancellable: Bool = true, _ body: (ProgressLine) async throws -> Result
    ) async throws -> Result {
        if isCancellable { await Interruption.install() }
        let line = ProgressLine(of: "record")
        defer { line.clear() }
        if let text { line.showElapsed(text) }
        return try await body(line)
    }
}

extension BinaryInteger {
    /// Returns the number followed by a noun in the singular or plural, e.g. `2 profiles`.
    func counted(_ singular: String) -> String {
        let plural = singular.hasSuffix("y") ? "\(singular.dropLast())ies" : "\(singular)s"
        return "\(grouped) \(self == 1 ? singular : plural)"
    }

    /// The number as text with commas as thousands separators.
    var grouped: String {
        var text = ""
        for (index, digit) in description.reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3), digit != "-" { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}

extension Int {
    /// The number of bytes as text, such as `1.5 MiB`.
    var byteCountText: String {
        var (size, unit) = (Double(self), "bytes")
        for larger in ["KiB", "MiB", "GiB", "TiB"] where size >= 1024 {
            size /= 1024
            unit = larger
        }
        if unit == "bytes" { return counted("byte") }
        return "\((size * 10).rounded() / 10) \(unit)"
    }
}
