import DataStoreCore
import UserProfileDomain

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
            do throws(ValidationError) {
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
