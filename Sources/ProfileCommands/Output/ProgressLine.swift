import Synchronization

/// One line on standard error that says how far something has come: on a terminal it changes, elsewhere it is written
/// once, at the end.
final class ProgressLine: Sendable {
    /// Whether it is seen while it changes.
    let isTerminal = Console.isErrorTerminal
    private let shown = Mutex("")

    /// Shows how far it has come. It may be told from any thread.
    func show(_ text: String) {
        guard isTerminal else { return }
        // A line that is longer than the terminal is wide could not be gone back over. The width may have changed.
        let text = text.prefix(columns: max(1, Console.width - 1))
        shown.withLock { shown in
            guard shown != text else { return }
            shown = text
            // To the start of the line, and what is longer there goes.
            Console.writeError("\r\u{1B}[K\(text)")
        }
    }

    /// Ends the line with the last word.
    func end(_ text: String) {
        clear()
        Console.writeError("\(text)\n")
    }

    /// Takes away what is shown, so that something else can be said.
    func clear() {
        shown.withLock { shown in
            if !shown.isEmpty { Console.writeError("\r\u{1B}[K") }
            shown = ""
        }
    }

}
