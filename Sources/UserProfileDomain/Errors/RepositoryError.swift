/// The error that a ``Repository``, a ``UnitOfWork`` or a ``ForecastSource`` throws.
///
/// Switch over ``code`` to react to the failure, and show ``message`` to the user.
///
/// ```swift
/// do {
///     try await notes.save(note)
/// } catch let error as RepositoryError where error.code == .conflict {
///     print(error.conflict?.id ?? "")  // the note that has the same title
/// }
/// ```
public struct RepositoryError: Error, Sendable {
    /// The kind of a failure, by which a caller decides how to react. Later versions may add cases.
    ///
    /// ```swift
    /// switch error.code {
    /// case .conflict: show("Someone else has changed it.")
    /// case .unavailable: retryLater()
    /// default: show(error.message)
    /// }
    /// ```
    @nonexhaustive
    public enum Code: String, Sendable {
        /// The requested entity does not exist.
        case notFound = "not found"
        /// A limit was reached: disk space, a quota, memory, open files, concurrent readers of a store, or requests to
        /// a weather service. Nothing was changed. Free resources or wait, then retry.
        case lackOfResources = "lack of resources"
        /// The stored data is damaged, or a newer version of the program wrote it. The repository did not change the
        /// data.
        case corrupted
        /// Another entity already has a value that must be unique. Nothing was changed.
        case conflict
        /// The weather service does not respond, or the store is not ready, e.g. because it is locked. Retry later.
        case unavailable
        /// The program uses the library incorrectly, e.g. it uses a closed store or an undeclared entity type. Nothing
        /// was changed. Correct the program.
        case programmingError = "programming error"
        /// Any other failure. See ``RepositoryError/underlying`` for its cause.
        case unexpected
    }

    /// The kind of the failure.
    public let code: Code

    /// One sentence that states the failed operation and the reason.
    public let message: String

    /// The error that caused this one, or `nil` if the failure has no other cause.
    public let underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the failure.
    ///   - message: One sentence that states the failed operation and the reason.
    ///   - underlying: The error that caused this one, or `nil` if the failure has no other cause.
    public init(_ code: Code, message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// Creates an error from any error. A `RepositoryError` stays the same, and another error becomes its cause.
    package init(_ error: any Error) {
        self = error as? RepositoryError ?? RepositoryError(.unexpected, message: "\(error)", underlying: error)
    }
}

extension RepositoryError: CustomStringConvertible {
    /// The text of ``message``.
    public var description: String { message }
}
