/// The failure of a repository or of a source of forecasts.
public struct RepositoryError: Error, Sendable {
    /// The kind of failure, which a caller can act on. Later versions may add some.
    @nonexhaustive
    public enum Code: String, Sendable {
        /// The requested entity does not exist.
        case notFound = "not found"
        /// A limit is reached: disk, quota, memory, file descriptors, readers, or requests to a service. Nothing was
        /// changed; free resources and retry.
        case lackOfResources = "lack of resources"
        /// The stored data differs from what was saved, or a newer program wrote it. It was left unchanged.
        case corrupted
        /// Another entity has a value that must be unique. Nothing was changed.
        case conflict
        /// The network or a lock is not available; retry later.
        case unavailable
        /// The program uses the library incorrectly, e.g. a store that it has closed or an entity type that it does
        /// not declare. Nothing was changed; correct the program.
        case programmingError = "programming error"
        /// Any other failure; see the cause.
        case unexpected
    }

    /// The kind of failure.
    public let code: Code

    /// One sentence with the operation and the reason.
    public let message: String

    /// The error that caused this one.
    public let underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: One sentence with the operation and the reason.
    ///   - underlying: The error that caused this one.
    public init(_ code: Code, message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }
}

extension RepositoryError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
