import ArgumentParser
import UserProfileKit

/// Finds a command that was mistyped, and what was meant. (The library for arguments does so for options only.)
enum CommandSuggestion {
    /// What is wrong with the name of the command, or nil where it is one.
    ///
    /// - Parameters:
    ///   - arguments: those of the program.
    ///   - root: the command that they are of.
    /// - Returns: a sentence.
    static func mistake(in arguments: some Sequence<String>, of root: any ParsableCommand.Type) -> String? {
        var command = root
        var path = [root._commandName]
        for word in arguments {
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty || word.hasPrefix("-") { return nil }
            // The library's own command, which is followed by the names of others.
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
