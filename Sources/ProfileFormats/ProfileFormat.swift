/// How profiles are written as text, one a line: `id`, `mailAddress` and `birthday`.
public enum ProfileFormat: String, CaseIterable, Sendable {
    /// JSON Lines: a JSON object (RFC 8259) a line. What a user has not is left out, or null, or empty.
    case jsonLines = "jsonl"
    /// Comma-separated values (RFC 4180) with a line of column names at first. What a user has not is empty. Lines are
    /// written with a line feed alone, and read with or without a carriage return before it.
    case csv

    /// The format of a file, by the ending of its name.
    ///
    /// - Parameter fileName: the name or the path of the file.
    /// - Returns: the format; nil where the ending is of neither.
    package static func ofFile(named fileName: String) -> ProfileFormat? {
        switch fileName.split(separator: ".", omittingEmptySubsequences: false).last?.lowercased() {
        case "csv": .csv
        case "jsonl", "ndjson", "json": .jsonLines
        default: nil
        }
    }
}

/// The names of columns and members.
enum ProfileField: String, CaseIterable {
    case id, mailAddress, birthday

    /// All of them, as a message names them.
    static let list = "id, mailAddress and birthday"
}
