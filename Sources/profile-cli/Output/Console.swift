import Foundation

/// Where the program writes: results to standard output, everything else to standard error.
enum Console {
    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// How many columns a terminal has at the moment; 80 where it does not say.
    static func width(of descriptor: Int32) -> Int {
        var size = winsize()
        // Filled before it returns.
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes lines of results.
    static func write(_ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(Array((lines.joined(separator: "\n") + "\n").utf8)))
        } catch {
            let problem = FileProblem(error)
            throw OutputError(
                message: "the result cannot be written: \(problem.words)", hasNoReader: problem.isBrokenPipe)
        }
    }

    /// Writes a line of results.
    static func write(_ line: String) throws { try write([line]) }

    /// Writes a message for a person.
    static func error(_ message: String) { say("profile-cli: \(printable(message))\n") }

    /// Writes what failed, with a colour where that is wanted.
    static func failure(_ message: String) {
        let name = hasColours ? "\u{1B}[1;31mprofile-cli:\u{1B}[0m" : "profile-cli:"
        say("\(name) \(printable(message))\n")
    }

    /// Asks who sits at the terminal.
    ///
    /// - Parameter question: what to ask.
    /// - Returns: whether the answer is yes.
    static func confirms(_ question: String) -> Bool {
        say("profile-cli: \(printable(question)) [y/N] ")
        return ["y", "yes"].contains(readLine()?.lowercased())
    }

    private static func say(_ text: String) {
        // Where this cannot be written there is nobody left to tell; the exit code still says it.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Whether messages have colours: on a terminal that has them, unless NO_COLOR is set (no-color.org).
    private static var hasColours: Bool {
        let variables = ProcessInfo.processInfo.environment
        return isatty(STDERR_FILENO) == 1 && variables["NO_COLOR", default: ""].isEmpty
            && variables["TERM", default: "dumb"] != "dumb"
    }

    /// Writes results as JSON, one a line.
    static func write(json values: [some Encodable]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try write(try values.map { String(decoding: try encoder.encode($0), as: UTF8.self) })
    }

    /// Writes a result as one line of JSON.
    static func write(json value: some Encodable) throws { try write(json: [value]) }

    /// Text as a terminal may show it: control characters but line feeds, and what turns the direction of writing, are
    /// replaced. What a file or a service said must not steer the terminal.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnprintable) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { shown.append(isUnprintable(scalar) ? "\u{FFFD}" : scalar) }
        return String(shown)
    }

    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n": false
        case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
        default: scalar.properties.generalCategory == .control
        }
    }
}
