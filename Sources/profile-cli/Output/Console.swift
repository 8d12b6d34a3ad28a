import Foundation

/// Where the program writes: results to standard output, everything else to standard error.
enum Console {
    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes lines of results.
    static func write(_ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
        } catch {
            throw OutputError(message: "the result cannot be written: \(FileProblem(error).words)")
        }
    }

    /// Writes a line of results.
    static func write(_ line: String) throws { try write([line]) }

    /// Writes a message for a person.
    static func error(_ message: String) {
        FileHandle.standardError.write(Data("profile-cli: \(printable(message))\n".utf8))
    }

    /// Writes results as JSON, one a line.
    static func write(json values: [some Encodable]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try write(try values.map { String(decoding: try encoder.encode($0), as: UTF8.self) })
    }

    /// Writes a result as one line of JSON.
    static func write(json value: some Encodable) throws { try write(json: [value]) }

    /// Text without control characters but line feeds: what a file or a service said must not steer the terminal.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 != "\n" && $0.properties.generalCategory == .control }) else {
            return text
        }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            shown.append(scalar != "\n" && scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return String(shown)
    }
}
