import ArgumentParser
import DataStoreCore
import ProfileFormats
import UserProfileDomain
import UserProfileKit

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

/// A converter that gives the error messages of ArgumentParser the style of all other messages.
enum UsageMessage {
    /// The maximum length of a message in characters. ArgumentParser quotes arguments, which may be very long.
    private static let maximumCount = 400

    /// Converts a message of ArgumentParser.
    ///
    /// - Parameters:
    ///   - message: The message, e.g. `Unknown option '--colour'. Did you mean '--format'?`
    ///   - arguments: The arguments of the program.
    /// - Returns: One sentence without control characters.
    static func text(_ message: String, for arguments: [String]) -> String {
        if let address = hyphenatedAddress(in: arguments) {
            return "'\(shortened(address))' looks like an option; write -- before it: -- \(shortened(address))"
        }
        var text = message
        // If no argument has several lines, the line breaks of a message only separate listed values.
        if !arguments.contains(where: { $0.contains(where: \.isNewline) }) {
            text = text.split { $0.isWhitespace }.joined(separator: " ")
        }
        text = shortened(text)
        for (sentence, clause) in [(". Did you mean", "; did you mean"), (". Please ", "; ")] {
            text.replace(sentence, with: clause)
        }
        if text.hasSuffix(".") { text.removeLast() }
        // A group has no options of its own, apart from `--help`.
        if text.hasPrefix("Unknown option"), Console.command.isGroup { text += "; write options after the command" }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Returns the argument that is a mail address with a leading hyphen, which ArgumentParser parses as an option.
    /// Returns `nil` if there is no such argument.
    private static func hyphenatedAddress(in arguments: [String]) -> String? {
        arguments.dropFirst().prefix { $0 != "--" }.first { word in
            guard word.hasPrefix("-"), !(word.hasPrefix("--") && word.contains("=")) else { return false }
            do throws(UserProfileDomain.ValidationError) {
                _ = try MailAddress(word)
                return true
            } catch {
                return false
            }
        }
    }

    /// Returns text without control characters. If the text is too long for a message, its middle is omitted.
    static func shortened(_ text: String) -> String {
        let half = maximumCount / 2
        let isLong = text.count > maximumCount
        return (isLong ? "\(text.prefix(half)) … \(text.suffix(half))" : text).escapingControlCharacters
    }
}

/// The path of the command that the arguments of the program select, and a suggestion if a command is misspelled.
/// ArgumentParser suggests only options.
struct CommandPath {
    /// The names of the program and of the commands, e.g. `profile-cli store check`.
    private(set) var names: [String]

    /// The first command in the arguments that is unknown, or `nil` if all commands are known. `suggestion` is the most
    /// similar known command, or `nil` if none is similar enough.
    private(set) var unknown: (word: String, suggestion: String?)?

    /// Whether the arguments select a group of commands, such as `store`, without selecting one of its commands.
    private(set) var isGroup = false

    /// Finds the command in the arguments.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the program, without its name.
    ///   - root: The root command.
    init(of arguments: some Sequence<String>, in root: any ParsableCommand.Type) {
        var command = root
        names = [root._commandName]
        for word in arguments {
            let subcommands = command.configuration.subcommands
            isGroup = !subcommands.isEmpty
            if subcommands.isEmpty || word.hasPrefix("-") { return }
            // `help` is a command of ArgumentParser. Names of other commands follow it.
            if names.count == 1, word == "help" { continue }
            guard let next = subcommands.first(where: { Self.names(of: $0).contains(word) }) else {
                let known = subcommands.flatMap { Self.names(of: $0) } + (names.count == 1 ? ["help"] : [])
                unknown = (word, Spelling.nearest(to: word, among: known))
                return
            }
            command = next
            names.append(next._commandName)
        }
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        [command._commandName] + command.configuration.aliases
    }

    /// The error message for an unknown command, or `nil` if the command is known.
    var mistake: String? {
        unknown.map { word, suggestion in
            let words = UsageMessage.shortened((names.dropFirst() + [word]).joined(separator: " "))
            return "unknown command '\(words)'" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
        }
    }

    /// The sentence that refers to the help of the command.
    var hint: String { "See '\(names.joined(separator: " ")) --help'." }
}
