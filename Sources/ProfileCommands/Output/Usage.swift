import ArgumentParser

/// The path of the command that the arguments of the program select, and a suggestion if a command is misspelled.
/// ArgumentParser suggests only options.
struct CommandPath {
    /// The names of the program and of the commands, e.g. `profile-cli store check`.
    private(set) var names: [String]

    /// The error message for the first unknown command in the arguments, or `nil` if all commands are known.
    private(set) var mistake: String?

    private var command: any ParsableCommand.Type = RootCommand.self

    /// Whether the arguments select a group of commands, such as `store`, without selecting one of its commands.
    var isGroup: Bool { !command.configuration.subcommands.isEmpty }

    /// The words that select the command.
    private(set) var words: [String] = []

    /// The common options before and among these words.
    private(set) var options: [String] = []

    /// The arguments after the words and options.
    private(set) var rest: ArraySlice<String>

    /// The arguments with the common options that precede a command moved behind it, where ArgumentParser reads them.
    var arguments: [String] { words + options + rest }

    /// Finds the command in the arguments.
    ///
    /// - Parameter arguments: The arguments of the program, without its name.
    init(of arguments: some Sequence<String>) {
        names = [command._commandName]
        rest = Array(arguments)[...]
        while let word = rest.first, isGroup {
            if word.hasPrefix("-") {
                let name = String(word.prefix { $0 != "=" })
                guard let hasValue = Self.commonOptions[name] else { return }
                let count = hasValue && name == word ? 2 : 1
                options += rest.prefix(count)
                rest = rest.dropFirst(count)
                continue
            }
            words.append(word)
            rest.removeFirst()
            // `help` is a command of ArgumentParser. Names of other commands follow it.
            if names.count == 1, word == "help" { continue }
            let subcommands = command.configuration.subcommands
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                let known = subcommands.map { $0._commandName } + (names.count == 1 ? ["help"] : [])
                let unknown = (names.dropFirst() + [word]).joined(separator: " ").shortened
                let suggestion = known.nearest(to: word).map { "; did you mean '\($0)'?" } ?? ""
                mistake = "unknown command '\(unknown)'\(suggestion)"
                return
            }
            command = next
            names.append(word)
        }
    }

    /// The sentence that refers to the help of the command.
    var hint: String { "See '\(names.joined(separator: " ")) --help'." }

    /// Whether help is printed in its short form: for the option `-h`, and for a group without a command.
    var hasShortHelp: Bool { arguments.first != "help" && !arguments.contains("--help") }
}

extension CommandPath {
    /// Converts an error message of ArgumentParser to the style of all other messages.
    ///
    /// - Parameters:
    ///   - message: The message, e.g. `Unknown option '--colour'. Did you mean '--format'?`
    ///   - arguments: The arguments of the program.
    /// - Returns: One sentence without control characters.
    func usageMessage(_ message: String, for arguments: [String]) -> String {
        if let address = Self.hyphenatedAddress(in: arguments) {
            return "'\(address.shortened)' looks like an option; write -- before it: -- \(address.shortened)"
        }
        var text = message
        // If no argument has several lines, the line breaks of a message only separate listed values.
        if !arguments.contains(where: { $0.contains(where: \.isNewline) }) {
            text = text.split { $0.isWhitespace }.joined(separator: " ")
        }
        text = text.shortened
        for (sentence, clause) in [(". Did you mean", "; did you mean"), (". Please ", "; ")] {
            text.replace(sentence, with: clause)
        }
        if text.hasSuffix(".") { text.removeLast() }
        // ArgumentParser would suggest another option of the command.
        let option = text.split(separator: "'").dropFirst().first.map(String.init) ?? ""
        if text.hasPrefix("Unknown option"), !isGroup, Self.commonOptions[option] != nil {
            return "'\(names.dropFirst().joined(separator: " "))' does not use \(option)"
        }
        // A group has only the common options.
        if text.hasPrefix("Unknown option"), isGroup { text += "; write the options of a command after it" }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Returns the argument that is a mail address with a leading hyphen, which ArgumentParser parses as an option.
    /// Returns `nil` if there is no such argument.
    private static func hyphenatedAddress(in arguments: [String]) -> String? {
        arguments.dropFirst().prefix { $0 != "--" }.first { word in
            let isHyphenated = word.hasPrefix("-") && !(word.hasPrefix("--") && word.contains("="))
            return isHyphenated && MailAddress(operand: .text(word)) != nil
        }
    }
}

extension String {
    /// The text without control characters. If it is too long for a message, its middle is omitted. ArgumentParser
    /// quotes arguments, which may be very long.
    var shortened: String { (count > 400 ? "\(prefix(200)) … \(suffix(200))" : self).escapingControlCharacters }
}

extension String {
    /// Returns help that ArgumentParser has rendered without line breaks, with its prose wrapped to the width of the
    /// terminal.
    ///
    /// ArgumentParser would wrap every line, even in the middle of an example. The short form begins with the usage and
    /// has no discussion.
    func help(isShort: Bool, columns: Int) -> String {
        var isOverview = true
        var all = split(separator: "\n", omittingEmptySubsequences: false)
        if isShort, let usage = all.firstIndex(where: { $0.hasPrefix("USAGE: ") }) {
            // The options are listed below.
            let line = all[usage].replacing(#/ \[-[^\]]*\]/#, with: "") + " [options]"
            all = [line[...], "", all[0].dropFirst("OVERVIEW: ".count)] + all[(usage + 1)...]
            while all.last?.isEmpty == true { all.removeLast() }
            if !hasSuffix("detailed help.") { all += ["", "--help prints more, with examples."] }
        }
        let lines = all.map { line in
            if line.hasPrefix("USAGE: ") { isOverview = false }
            guard isOverview else { return line.wrappedOption(to: columns) }
            // Indented lines of an overview are examples and tables.
            return line.hasPrefix(" ") ? String(line) : line.wrapped(to: columns, indentation: 0)
        }
        return lines.joined(separator: "\n")
    }
}

extension Substring {
    /// Wraps a line that describes an option or a command. Returns any other line unchanged.
    fileprivate func wrappedOption(to columns: Int) -> String {
        // The column at which descriptions of options and commands begin.
        let column = 26
        let head = prefix(column)
        let isDescription = head.count == column && head.hasPrefix("  ") && head.hasSuffix(" ")
        guard isDescription else { return String(self) }
        return head + dropFirst(column).wrapped(to: columns, indentation: column)
    }

    /// Wraps a description at spaces. The first line is not indented, because the caller puts it after an option or a
    /// command. A word that is wider than a line is not split.
    fileprivate func wrapped(to columns: Int, indentation: Int) -> String {
        var (lines, line): ([String], String) = ([], "")
        for word in split(separator: " ") {
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            if !line.isEmpty, indentation + longer.displayWidth > columns {
                lines.append(line)
                line = String(word)
            } else {
                line = longer
            }
        }
        return (lines + [line]).joined(separator: "\n" + String(repeating: " ", count: indentation))
    }
}
