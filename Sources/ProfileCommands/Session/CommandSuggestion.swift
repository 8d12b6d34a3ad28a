import ArgumentParser
import UserProfileKit

/// Finds a mistyped command and suggests the intended one. ArgumentParser suggests options only.
enum CommandSuggestion {
    /// Returns an error message if the arguments name an unknown command, or `nil` otherwise.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the program.
    ///   - root: The root command.
    /// - Returns: A sentence.
    static func message(for arguments: some Sequence<String>, of root: any ParsableCommand.Type) -> String? {
        var command = root
        var path = [root._commandName]
        for word in arguments {
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty || word.hasPrefix("-") { return nil }
            // `help` is a command of ArgumentParser; names of other commands follow it.
            if path.count == 1, word == "help" { continue }
            guard let next = subcommands.first(where: { names(of: $0).contains(word) }) else {
                let known = subcommands.flatMap { names(of: $0) } + (path.count == 1 ? ["help"] : [])
                let near = Spelling.nearest(to: word, among: known)
                let hint = near.map { "did you mean \($0)?" } ?? "see `\(root._commandName) help`"
                let command = (path.dropFirst() + [word]).joined(separator: " ")
                return "there is no command \(command.debugDescription); \(hint)"
            }
            command = next
            path.append(word)
        }
        return nil
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        [command._commandName] + command.configuration.aliases
    }
}
