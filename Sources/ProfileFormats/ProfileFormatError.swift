package import UserProfileDomain

/// An error which states that a line of an input is not a valid profile.
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

/// An error in a line whose number is not yet known.
struct LineProblem: Error {
    let reason: String
    var isFatal = false
    var underlying: ValidationError?

    init(_ reason: String, isFatal: Bool = false) {
        self.reason = reason
        self.isFatal = isFatal
    }

    init(_ error: ValidationError) {
        reason = "\(error)"
        underlying = error
    }
}
