import ProfileFormats

/// A formatter for help on a terminal.
///
/// ArgumentParser wraps every line, even in the middle of an example. The program therefore lets ArgumentParser render
/// help without line breaks, and this type wraps only the lines that are prose.
enum HelpText {
    /// A width, in columns, at which ArgumentParser wraps no line.
    static let unlimited = 1 << 20

    /// The column at which descriptions of options and commands begin.
    private static let descriptionColumn = 26

    /// Returns whether output of ArgumentParser is help, and not a version or a completion script.
    static func isHelp(_ text: String) -> Bool { text.hasPrefix("OVERVIEW: ") }

    /// Wraps help that ArgumentParser has rendered with the width ``unlimited``.
    ///
    /// - Parameters:
    ///   - text: The rendered help.
    ///   - columns: The width of the terminal in columns.
    /// - Returns: The help, with its prose wrapped to that width.
    static func wrapped(_ text: String, to columns: Int) -> String {
        var isOverview = true
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("USAGE: ") { isOverview = false }
            guard isOverview else { return wrappedOption(line, to: columns) }
            // Indented lines of an overview are examples and tables.
            return line.hasPrefix(" ") ? String(line) : wrapped(line, to: columns, indentation: 0)
        }
        return lines.joined(separator: "\n")
    }

    /// Wraps a line that describes an option or a command. Returns any other line unchanged.
    private static func wrappedOption(_ line: Substring, to columns: Int) -> String {
        let head = line.prefix(descriptionColumn)
        let isDescription = head.count == descriptionColumn && head.hasPrefix("  ") && head.hasSuffix(" ")
        guard isDescription else { return String(line) }
        let description = wrapped(line.dropFirst(descriptionColumn), to: columns, indentation: descriptionColumn)
        return head + description
    }

    /// Wraps a description at spaces. The first line is not indented, because the caller puts it after an option or a
    /// command. A word that is wider than a line is not split.
    private static func wrapped(_ line: Substring, to columns: Int, indentation: Int) -> String {
        var text = ""
        var width = indentation
        for word in line.split(separator: " ") {
            let wordWidth = String(word).displayWidth
            if width > indentation, width + 1 + wordWidth > columns {
                text += "\n" + String(repeating: " ", count: indentation)
                width = indentation
            }
            if width > indentation {
                text += " "
                width += 1
            }
            text += word
            width += wordWidth
        }
        return text
    }
}
