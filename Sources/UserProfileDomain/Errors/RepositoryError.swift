/// Why a repository, or a source of forecasts, did not do what it was asked to.
public struct RepositoryError: Error, Sendable {
    /// The kind of failure, as a caller can act on it. New ones may be added: a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// What was asked for does not exist.
        public static let notFound = Code("not found")
        /// Something is used up: disk, quota, memory, readers, what a service allows. Nothing was changed; make room
        /// and try again.
        public static let lackOfResources = Code("lack of resources")
        /// What is stored is not what was saved, or was written by a newer program. It was left as it is.
        public static let corrupted = Code("corrupted")
        /// Another entity has a value that only one may have. Nothing was changed.
        public static let conflict = Code("conflict")
        /// The network or a lock; try again later.
        public static let unavailable = Code("unavailable")
        /// Anything else; the cause says what.
        public static let unexpected = Code("unexpected")
    }

    /// The kind of failure.
    public let code: Code

    /// One sentence that says what failed and why.
    public let message: String

    /// The error that caused this one.
    public let underlying: (any Error)?

    /// Describes a failure.
    ///
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - message: one sentence that says what failed and why.
    ///   - underlying: the error that caused this one.
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
