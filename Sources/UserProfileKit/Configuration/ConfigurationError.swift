/// An error in the configuration of a program.
package struct ConfigurationError: Error, CustomStringConvertible {
    /// The kind of a configuration error.
    package enum Code: Sendable {
        /// The configuration file exists but cannot be read.
        case unreadableFile
        /// The configuration file is not a JSON object, or one of its members has the wrong type or a misspelled key.
        case invalidFile
        /// The value of a setting is invalid.
        case invalidValue
    }

    /// The kind of the error.
    package let code: Code

    /// One sentence that states the value, its origin and the remedy.
    package let description: String

    /// The error that caused this one, or `nil` if there is no other cause.
    package let underlying: (any Error)?

    init(_ code: Code, _ description: String, underlying: (any Error)? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }
}
