/// A text format for profiles, one profile per line: `id`, `mailAddress` and `birthday`.
public enum ProfileFormat: String, CaseIterable, Sendable {
    /// JSON Lines: one JSON object (RFC 8259) per line. A missing value is omitted, null or an empty string.
    case jsonLines = "jsonl"
    /// Comma-separated values (RFC 4180); the first line names the columns. A missing value is empty. Lines are written
    /// with a line feed only, and read with or without a carriage return before it.
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

/// A column or member of a profile.
enum ProfileField: String, CaseIterable {
    case id, mailAddress, birthday

    /// The names of all fields, for messages.
    static let list = "id, mailAddress and birthday"
}
