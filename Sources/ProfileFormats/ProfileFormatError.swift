package import UserProfileDomain

/// An error in a line of an input.
public struct ProfileFormatError: Error, Sendable {
    /// The number of the line in which the error's record begins, counted from 1. (A CSV record may contain line breaks
    /// within quotes.)
    public let line: Int64

    /// The reason and the remedy, as a sentence.
    package let reason: String

    /// Whether no line after it can be read, e.g. because the column names are missing.
    package let isFatal: Bool

    /// The validation error, if a value is invalid.
    package let underlying: ValidationError?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - line: The number of the line, counted from 1.
    ///   - reason: The reason and the remedy, as a sentence.
    ///   - isFatal: Whether no line after it can be read.
    ///   - underlying: The validation error, if a value is invalid.
    package init(line: Int64, reason: String, isFatal: Bool = false, underlying: ValidationError? = nil) {
        self.line = line
        self.reason = reason
        self.isFatal = isFatal
        self.underlying = underlying
    }
}

extension ProfileFormatError: CustomStringConvertible {
    /// One sentence that begins with the number of the line.
    public var description: String { "line \(line): \(reason)" }
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
