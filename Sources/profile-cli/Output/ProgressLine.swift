import Foundation
import Synchronization

/// One line on standard error that says how far something has come: on a terminal it changes, elsewhere it is written once, at
/// the end.
final class ProgressLine: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let shown = Mutex("")

    /// Shows how far it has come. It may be told from any thread.
    func show(_ text: String) {
        guard isTerminal else { return }
        shown.withLock { shown in
            guard shown != text else { return }
            shown = text
            // To the start of the line, and what is longer there goes.
            write("\r\u{1B}[K\(text)")
        }
    }

    /// Ends the line with the last word.
    func end(_ text: String) {
        if isTerminal {
            show(text)
            write("\n")
        } else {
            write("\(text)\n")
        }
    }

    private func write(_ text: String) {
        // Where this cannot be written there is nobody left to tell.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
