/// A text format for user profiles with the fields `id`, `mailAddress` and `birthday`. Each line contains one profile.
public enum ProfileFormat: String, CaseIterable, Sendable {
    /// JSON Lines: each line is a JSON object (RFC 8259). A missing value is omitted, null or an empty string.
    case jsonLines = "jsonl"
    /// Comma-separated values (RFC 4180), whose first line names the columns. A missing value is empty.
    ///
    /// A writer ends each line with a line feed. A reader also accepts a carriage return before the line feed.
    case csv

    /// Returns the format for the extension of a file name.
    ///
    /// - Parameter fileName: The name or the path of the file.
    /// - Returns: The format, or `nil` if the extension is unknown.
    package static func ofFile(named fileName: String) -> ProfileFormat? {
        switch fileName.split(separator: ".", omittingEmptySubsequences: false).last?.lowercased() {
        case "csv": .csv
        case "jsonl", "ndjson", "json": .jsonLines
        default: nil
        }
    }
}

/// A column of a CSV profile, or a member of a JSON profile.
enum ProfileField: String, CaseIterable {
    case id, mailAddress, birthday

    /// The names of all fields, for messages.
    static let list = "id, mailAddress and birthday"
}
