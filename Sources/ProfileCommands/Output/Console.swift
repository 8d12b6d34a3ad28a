import ArgumentParser
import DataStoreSystem
import Logging

/// The terminal input and output of the program. Results go to standard output, and messages to standard error.
enum Console {
    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether standard error is a terminal.
    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether standard input is a terminal.
    static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// The number of columns of the terminal on standard output or standard error, or 80 if neither is a terminal.
    static var width: Int { outputWidth ?? width(of: STDERR_FILENO) ?? 80 }

    /// The number of columns of the terminal on standard output, or `nil` if it is not a terminal or its width is
    /// unknown.
    static var outputWidth: Int? { width(of: STDOUT_FILENO) }

    private static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        // The call fills the structure before it returns.
        let isKnown = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : nil
    }

    /// The command that the arguments of the process select.
    static var command: CommandPath { CommandPath(of: CommandLine.arguments.dropFirst()) }

    /// The form of all output.
    static let style = OutputStyle(CommandLine.arguments.dropFirst())

    /// Writes each result as one line to standard output.
    static func write(_ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        let code = Interruption.awaitingReader { File.write(bytes, to: STDOUT_FILENO) }
        guard code == 0 else {
            let reason = DataStoreError.meaning(ofErrorNumber: code).reason
            throw CommandError(code == EPIPE ? .brokenPipe : .inputOutput, "could not write the result: \(reason)")
        }
    }

    /// Writes a warning, or an error that does not end the command, to standard error.
    static func warn(_ message: String) {
        if style.isJSON { return writeJSONError(["message": message]) }
        writeError("profile-cli: \(message.printable)\n")
    }

    /// Writes a message for a person to standard error, unless the option `--quiet` is given.
    static func note(_ message: String) { if !style.isQuiet { warn(message) } }

    /// Writes an error message to standard error, in color if colors are enabled.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - code: The exit code of the program.
    ///   - hint: A sentence that refers to help, or `nil`.
    ///   - causes: The causes of the error.
    static func failure(_ message: String, _ code: ExitCode, hint: String? = nil, causes: [String] = []) {
        if style.isJSON {
            return writeJSONError([
                "error": message, "exitCode": Int(code.rawValue), "hint": hint,
                "causes": causes.isEmpty ? nil : causes,
            ])
        }
        let name = hasColors ? "\u{1B}[1;31mprofile-cli:\u{1B}[0m" : "profile-cli:"
        writeError("\(name) \(([message] + [hint].compactMap(\.self)).joined(separator: "\n").printable)\n")
        for cause in causes { warn("  caused by: \(cause)") }
    }

    /// Writes an error message about the arguments, and a reference to the help of the command.
    static func usageFailure(_ message: String) { failure(message, .usage, hint: command.hint) }

    /// Writes a message about a lock that another process holds. On a terminal, the message replaces a progress line.
    /// Ends the program if it was interrupted, because a wait for a lock cannot be cancelled.
    @Sendable static func noteWait(forLockOf path: String, by process: Int32?, second: Int) {
        Interruption.exitIfInterrupted(saying: "interrupted while waiting for the lock")
        guard second == 1 else { return }
        if isErrorTerminal, !style.isJSON { writeError("\r\u{1B}[K") }
        note("waiting for \(process.map { "process \($0)" } ?? "another process"), which has locked \(path)")
    }

    private static func writeJSONError(_ members: JSONObject) {
        writeError(json(members) + "\n")
    }

    /// Returns a JSON object in one line. Characters that `String.printable` replaces are written as escape sequences,
    /// because a pipe may also end at a terminal.
    static func json(_ members: JSONObject) -> String { RecordJSON.text(members.json) }

    /// Writes text to standard error unchanged. A failure is ignored, because no message could report it.
    static func writeError(_ text: String) {
        _ = Interruption.awaitingReader { File.write(Array(text.utf8), to: STDERR_FILENO) }
    }

    /// Whether error messages are written in color. This is the case if standard error is a terminal that supports
    /// colors and the environment variable `NO_COLOR` is empty or not set (no-color.org).
    private static var hasColors: Bool {
        func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
        return isErrorTerminal && !style.hasNoColor && variable("NO_COLOR") ?? "" == ""
            && variable("TERM") ?? "dumb" != "dumb"
    }
}

/// A log handler that writes the library's log messages to standard error, in the format of all other messages.
struct ConsoleLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let details = all.map { " \($0.key)=\($0.value)" }.joined()
        Console.warn("\(event.message)\(details)")
    }
}

extension Logger {
    /// The logger that the option `--verbose` enables.
    static let console = Logger(label: "profile-cli") { _ in ConsoleLogHandler() }
}
