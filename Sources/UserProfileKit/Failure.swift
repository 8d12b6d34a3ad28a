import DataStoreSystem

/// A classification of the errors that this library throws. Use it to choose the exit code of a command or the status
/// of a response.
///
/// ```swift
/// do { … } catch {
///     let failure = Failure(error)
///     switch failure.kind { case .badInput: … }
/// }
/// ```
public struct Failure: Sendable {
    /// The kind of a failure. A program uses it to decide how to react.
    ///
    /// ```swift
    /// let status = switch Failure(error).kind {
    /// case .badInput: 400
    /// case .notFound: 404
    /// case .busy, .unavailable: 503
    /// default: 500
    /// }
    /// ```
    public enum Kind: Sendable {
        /// A value is invalid, or duplicates the value of a unique field. Report the failure to the person who entered
        /// the value.
        case badInput
        /// The input file does not exist or is not a regular file, or the store to maintain does not exist.
        case noInput
        /// Something other than a store exists at the location, a store cannot be created there, or the target of a
        /// copy contains records.
        case cannotCreate
        /// The operating system denies access, the store is read-only, or the program lacks the key of a sealed field.
        case noPermission
        /// Another process holds a lock, or a migration of the store is not complete. Retry later.
        case busy
        /// A read or write of the storage device failed, the disk is full, or the store is damaged or was changed by a
        /// newer program.
        case inputOutput
        /// The requested entity, e.g. a city, does not exist.
        case notFound
        /// A service or a database server does not respond or rejects the request.
        case unavailable
        /// The task was cancelled. The cancelled transaction has changed nothing.
        case cancelled
        /// Any other failure, which indicates a programming error.
        case unexpected
    }

    /// The kind of the failure.
    public let kind: Kind

    /// One sentence that describes the failure to the user.
    public let message: String

    /// The error and its causes, from the outermost error to the innermost.
    package let causes: [any Error]

    /// Classifies an error.
    ///
    /// - Parameter error: An error that a use case, a repository or `UserProfileStorage.open` threw.
    public init(_ error: any Error) {
        causes = Failure.chain(error)
        message = error is CancellationError ? "the operation was cancelled; nothing was changed" : "\(error)"
        kind = Failure.kind(of: error)
    }

    private static func chain(_ error: any Error) -> [any Error] {
        let cause: (any Error)? =
            switch error {
            case let error as RepositoryError: error.underlying
            case let error as DataStoreError: error.underlying
            case let error as FieldError: error.underlying
            case let error as FetchFailure: error.underlying
            default: nil
            }
        return [error] + (cause.map(chain) ?? [])
    }

    private static func kind(of error: any Error) -> Kind {
        switch error {
        case is ValidationError: .badInput
        case is CancellationError: .cancelled
        case let error as DataStoreError: kind(of: error)
        case is ProfileFormatError, is QueryError: .badInput
        case let error as RepositoryError where error.code == .notFound: .notFound
        case let error as RepositoryError:
            error.underlying.map { kind(of: $0) } ?? (error.code == .unavailable ? .unavailable : .unexpected)
        case is FetchFailure: .unavailable
        default: .unexpected
        }
    }

    private static func kind(of error: DataStoreError) -> Kind {
        switch error.code {
        case .invalidKey, .invalidRecord, .invalidQuery, .notUnique, .brokenReference, .unsupported: .badInput
        case .noStore: .noInput
        case .notAStore, .unsupportedFileSystem: .cannotCreate
        case .readOnly, .missingSealingKey, .wrongSealingKey: .noPermission
        case .busy, .migrationPending: .busy
        case .unavailable, .sealingKeyUnavailable: .unavailable
        case .inputOutput:
            switch error.errno {
            case EACCES, EPERM: .noPermission
            case ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, EEXIST, ENOENT: .cannotCreate
            default: .inputOutput
            }
        case .closed, .misuse, .migrationFailed: .unexpected
        default: .inputOutput
        }
    }
}
