import ArgumentParser

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
                let near = known.map { ($0, distance($0, word)) }.filter { $0.1 <= max(1, $0.0.count / 3) }
                let best = near.min { $0.1 < $1.1 }?.0
                let hint = best.map { "did you mean \($0)?" } ?? "see `\(root._commandName) help`"
                return
                    "there is no command \((path.dropFirst() + [word]).joined(separator: " ").debugDescription); \(hint)"
            }
            command = next
            path.append(word)
        }
        return nil
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        [command._commandName] + command.configuration.aliases
    }

    /// How many letters must be put in, left out, changed or swapped with their neighbour to make one word of another (the
    /// optimal string alignment distance).
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for (row, letter) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(
                    rows[row][column + 1] + 1, next[column] + 1, rows[row][column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
