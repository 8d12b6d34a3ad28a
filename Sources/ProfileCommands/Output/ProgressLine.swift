import ProfileFormats
import Synchronization

/// A progress line on standard error. On a terminal, it is updated in place. Otherwise it is written once, at the end.
final class ProgressLine: Sendable {
    /// Whether standard error is a terminal. If not, ``show(_:)`` writes nothing.
    let isTerminal = Console.isErrorTerminal
    private let current = Mutex("")

    /// Replaces the line with a string, if standard error is a terminal. This function can be called on any thread.
    func show(_ text: String) {
        guard isTerminal else { return }
        // A line that is wider than the terminal would wrap, and a carriage return would not reach its start. The width
        // is queried each time, because the terminal may have been resized.
        let text = text.printable.prefix(columns: max(1, Console.width - 1))
        current.withLock { current in
            guard current != text else { return }
            current = text
            // The escape sequence returns to the start of the line and erases the rest of a longer text.
            Console.writeError("\r\u{1B}[K\(text)")
        }
    }

    /// Replaces the line with the final text.
    func end(_ text: String) {
        clear()
        Console.writeError("\(text)\n")
    }

    /// Clears the line, so that a message can be written.
    func clear() {
        current.withLock { current in
            if !current.isEmpty { Console.writeError("\r\u{1B}[K") }
            current = ""
        }
    }

}
