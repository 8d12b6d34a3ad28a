package import UserProfileDomain

/// A text format for user profiles with the fields `id`, `mailAddress` and `birthday`. Each line contains one profile.
///
/// ```swift
/// try await storage.importUsers(ImportOptions(source: "users.csv", format: .csv)) { nextBytes() }
/// ```
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

/// An error which states that a line of an input is not a valid profile.
///
/// ```swift
/// do { … } catch let error as ProfileFormatError {
///     print("line \(error.line): \(error)")
/// }
/// ```
public struct ProfileFormatError: Error, Sendable {
    /// The number of the first line of the invalid profile, counted from 1. A CSV profile may contain line breaks
    /// within quotes.
    public let line: Int64

    /// The number of the last line of the invalid profile.
    package let lastLine: Int64

    /// The reason and the remedy as a sentence.
    package let reason: String

    /// Whether the following lines cannot be read either, e.g. because the column names are missing.
    package let isFatal: Bool

    /// The validation error if a value is invalid, otherwise `nil`.
    package let underlying: ValidationError?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - line: The number of the first line, counted from 1.
    ///   - lastLine: The number of the last line.
    ///   - reason: The reason and the remedy as a sentence.
    ///   - isFatal: Whether the following lines cannot be read either.
    ///   - underlying: The validation error if a value is invalid, otherwise `nil`.
    package init(
        line: Int64, lastLine: Int64, reason: String, isFatal: Bool = false, underlying: ValidationError? = nil
    ) {
        self.line = line
        self.lastLine = lastLine
        self.reason = reason
        self.isFatal = isFatal
        self.underlying = underlying
    }
}

extension ProfileFormatError: CustomStringConvertible {
    /// One sentence that begins with the number of the line, or of the first and the last line.
    public var description: String {
        line == lastLine ? "line \(line): \(reason)" : "lines \(line) to \(lastLine): \(reason)"
    }
}

/// An error in a line whose number is not yet known, or in a JSON text.
package struct TextProblem: Error {
    /// The reason and the remedy as a clause that ends a sentence.
    package let reason: String

    /// The position in a JSON text, in bytes from its start.
    package let offset: Int

    let isFatal: Bool
    var underlying: ValidationError?

    init(_ reason: String, at offset: Int = 0, isFatal: Bool = false) {
        self.reason = reason
        self.offset = offset
        self.isFatal = isFatal
    }

    init(_ error: ValidationError) {
        self.init("\(error)")
        underlying = error
    }
}

/// The decoded values of a line, from which a user is created.
struct ParsedFields {
    private var id: String?
    private var mailAddress: String?
    private var birthday: String?

    /// The fields that have occurred in the line, one bit each.
    private var seen: UInt8 = 0

    /// Records that a field occurs.
    ///
    /// - Returns: Whether the field occurs for the first time.
    mutating func begin(_ field: ProfileField) -> Bool {
        let bit: UInt8 =
            switch field {
            case .id: 1
            case .mailAddress: 2
            case .birthday: 4
            }
        defer { seen |= bit }
        return seen & bit == 0
    }

    /// Sets the value of a field. An empty string means a missing value, except for an id.
    mutating func set(_ text: String, as field: ProfileField) {
        switch field {
        case .id: id = text
        case .mailAddress: mailAddress = text.isEmpty ? nil : text
        case .birthday: birthday = text.isEmpty ? nil : text
        }
    }

    /// Creates the user. Throws ``TextProblem`` if a value is invalid or the id is missing.
    func user(now: Instant) throws(TextProblem) -> User {
        guard let id, !id.isEmpty else { throw TextProblem("the id is missing; add one") }
        do throws(ValidationError) {
            var user = User(id: try UserID(id))
            if let mailAddress { user.mailAddress = try MailAddress(mailAddress) }
            if let birthday {
                let birthday = try Birthday(birthday)
                try birthday.checkHasBegun(at: now)
                user.birthday = birthday
            }
            return user
        } catch {
            throw TextProblem(error)
        }
    }
}
