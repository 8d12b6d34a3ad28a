import Foundation
import Synchronization

/// One line on standard error that says how far something has come: on a terminal it changes, elsewhere it is written once, at
/// the end.
final class ProgressLine: Sendable {
    /// Whether it is seen while it changes.
    let isTerminal = isatty(STDERR_FILENO) == 1
    private let shown = Mutex("")

    /// Shows how far it has come. It may be told from any thread.
    func show(_ text: String) {
        guard isTerminal else { return }
        // A line that is longer than the terminal is wide could not be gone back over. The width may have changed.
        let text = text.prefix(columns: max(1, Console.width(of: STDERR_FILENO) - 1))
        shown.withLock { shown in
            guard shown != text else { return }
            shown = text
            // To the start of the line, and what is longer there goes.
            write("\r\u{1B}[K\(text)")
        }
    }

    /// Ends the line with the last word.
    func end(_ text: String) {
        clear()
        write("\(text)\n")
    }

    /// Takes away what is shown, so that something else can be said.
    func clear() {
        shown.withLock { shown in
            if !shown.isEmpty { write("\r\u{1B}[K") }
            shown = ""
        }
    }

    private func write(_ text: String) {
        // Where this cannot be written there is nobody left to tell.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
