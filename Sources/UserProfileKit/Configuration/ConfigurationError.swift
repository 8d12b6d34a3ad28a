/// Why a program cannot be configured as it was told.
public struct ConfigurationError: Error, CustomStringConvertible {
    /// What is wrong.
    public enum Code: Sendable {
        /// There is a file, but it cannot be read.
        case unreadableFile
        /// The file is no JSON object, or a member of it is of the wrong kind.
        case invalidFile
        /// A value breaks a rule.
        case invalidValue
    }

    /// What is wrong.
    public let code: Code

    /// One sentence that says what was given, where, and what to do.
    public let description: String

    /// The error that caused this one.
    public let underlying: (any Error)?

    init(_ code: Code, _ description: String, underlying: (any Error)? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }
}
