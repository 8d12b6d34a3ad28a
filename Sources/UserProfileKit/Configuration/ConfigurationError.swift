/// An error in the configuration of a program.
package struct ConfigurationError: Error, CustomStringConvertible {
    /// The kinds of errors.
    package enum Code: Sendable {
        /// The file exists but cannot be read.
        case unreadableFile
        /// The file is not a JSON object, or a member of it has the wrong type or a misspelled key.
        case invalidFile
        /// A value is invalid.
        case invalidValue
    }

    /// The kind of error.
    package let code: Code

    /// One sentence with the value, its origin and the remedy.
    package let description: String

    /// The error that caused this one, if there is one.
    package let underlying: (any Error)?

    init(_ code: Code, _ description: String, underlying: (any Error)? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }
}
