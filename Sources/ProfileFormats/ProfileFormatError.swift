package import UserProfileDomain

/// What is wrong with a line of an input.
public struct ProfileFormatError: Error, Sendable {
    /// The line that it begins in, counted from 1. (A line of CSV may have line breaks within quotes.)
    public let line: Int64

    /// What is wrong, and what to do about it, as a sentence.
    public let reason: String

    /// Whether nothing after it can be read, as where the names of the columns are missing.
    package let isFatal: Bool

    /// The rule that a value breaks, where it is one of a value.
    package let underlying: ValidationError?

    /// Describes what is wrong with a line.
    ///
    /// - Parameters:
    ///   - line: the line, counted from 1.
    ///   - reason: what is wrong, as a sentence.
    ///   - isFatal: whether nothing after it can be read.
    ///   - underlying: the rule that a value breaks.
    package init(line: Int64, reason: String, isFatal: Bool = false, underlying: ValidationError? = nil) {
        self.line = line
        self.reason = reason
        self.isFatal = isFatal
        self.underlying = underlying
    }
}

extension ProfileFormatError: CustomStringConvertible {
    /// One sentence that begins with the line.
    public var description: String { "line \(line): \(reason)" }
}

/// What is wrong with a line, before it is known which line it is.
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
