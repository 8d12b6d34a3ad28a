// The declarations of this target use this module. Its re-export serves the files here and the programs that import
// the target.
@_exported public import UserProfileDomain

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

    /// Returns the format for the extension of a file name. If the extension is not `csv`, returns JSON Lines.
    package static func ofFile(named fileName: String) -> ProfileFormat {
        fileName.lowercased().hasSuffix(".csv") ? .csv : .jsonLines
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
    public private(set) var line: Int64 = 1

    /// The number of the last line of the invalid profile.
    package private(set) var lastLine: Int64 = 1

    /// The reason and the remedy as a clause that ends a sentence.
    package let reason: String

    /// The position in a JSON text that is not a line of profiles, in bytes from its start.
    package let offset: Int

    /// Whether the following lines cannot be read either, e.g. because the column names are missing.
    package let isFatal: Bool

    /// The validation error if a value is invalid, otherwise `nil`.
    package let underlying: ValidationError?

    init(_ reason: String, at offset: Int = 0, isFatal: Bool = false, underlying: ValidationError? = nil) {
        self.reason = reason
        self.offset = offset
        self.isFatal = isFatal
        self.underlying = underlying
    }

    /// Returns the error with the numbers of its first and its last line.
    func located(at line: Int64, through lastLine: Int64) -> ProfileFormatError {
        var error = self
        (error.line, error.lastLine) = (line, lastLine)
        return error
    }
}

extension ProfileFormatError: CustomStringConvertible {
    /// One sentence that begins with the number of the line, or of the first and the last line.
    public var description: String {
        line == lastLine ? "line \(line): \(reason)" : "lines \(line) to \(lastLine): \(reason)"
    }
}

/// The decoded values of a line, from which a user is created.
struct ParsedFields {
    private var texts: [ProfileField: String] = [:]

    /// Sets the value of a field. An empty string means a missing value.
    ///
    /// - Returns: Whether the field occurs for the first time.
    @discardableResult
    mutating func set(_ text: String, as field: ProfileField) -> Bool {
        texts.updateValue(text, forKey: field) == nil
    }

    /// Creates the user. Throws ``ProfileFormatError`` if a value is invalid or the id is missing.
    func user(now: Instant) throws(ProfileFormatError) -> User {
        let texts = texts.filter { !$0.value.isEmpty }
        guard let id = texts[.id] else { throw ProfileFormatError("the id is missing; add one") }
        do throws(ValidationError) {
            var user = User(id: try UserID(id))
            if let mailAddress = texts[.mailAddress] { user.mailAddress = try MailAddress(mailAddress) }
            if let text = texts[.birthday] {
                let birthday = try Birthday(text)
                try birthday.checkHasBegun(at: now)
                user.birthday = birthday
            }
            return user
        } catch {
            throw ProfileFormatError("\(error)", underlying: error)
        }
    }
}

/// A column of a CSV profile, or a member of a JSON profile. A CSV file has the columns in the order of the cases.
enum ProfileField: String, CaseIterable {
    case id, mailAddress, birthday

    /// The names of all fields, for messages.
    static let list = "id, mailAddress and birthday"

    /// Returns the text of the field, or `nil` if the user has no value.
    func text(of user: User) -> String? {
        switch self {
        case .id: user.id.text
        case .mailAddress: user.mailAddress?.text
        case .birthday: user.birthday?.description
        }
    }
}
