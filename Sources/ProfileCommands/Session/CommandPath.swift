import ArgumentParser
import UserProfileKit

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
