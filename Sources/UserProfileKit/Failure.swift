import DataStoreCore
import ForecastAPI
import ProfileFormats
import UserProfileData
import UserProfileDomain

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What an error of this library means to a program that must answer for it: a command that ends with a code, a service
/// that answers a request.
///
/// ```swift
/// do { … } catch {
///     let failure = Failure(error)
///     switch failure.kind { case .badInput: … }
/// }
/// ```
public struct Failure: Sendable {
    /// Kinds that call for different answers.
    public enum Kind: Sendable {
        /// A value breaks a rule: tell who gave it.
        case badInput
        /// There is no such file to be read, or it is none.
        case noInput
        /// At the place of the store is something else, or it cannot be made there.
        case cannotCreate
        /// The operating system forbids it, or the store can only be read.
        case noPermission
        /// Somebody else holds what is needed: try again.
        case busy
        /// A device, the disk space, or bytes that are not what was saved.
        case inputOutput
        /// A city that nobody knows.
        case notFound
        /// A service does not answer, or refuses to.
        case unavailable
        /// The task was cancelled; nothing was changed.
        case cancelled
        /// Anything else: a mistake in a program.
        case unexpected
    }

    /// The kind of failure.
    public let kind: Kind

    /// One sentence for a person.
    public let message: String

    /// The errors that led to it, from the outermost to the cause.
    public let causes: [any Error]

    /// Looks at an error.
    ///
    /// - Parameter error: what a use case or `UserProfileStorage.open` threw.
    public init(_ error: any Error) {
        causes = Failure.chain(error)
        message = error is CancellationError ? "it was cancelled, nothing is changed" : "\(error)"
        kind = Failure.kind(of: error)
    }

    private static func chain(_ error: any Error) -> [any Error] {
        let cause: (any Error)? =
            switch error {
            case let error as RepositoryError: error.underlying
            case let error as DataStoreError: error.underlying
            case let error as FieldError: error.underlying
            case let error as SourceError: error.underlying
            case let error as any FetchFailure: error.underlying
            default: nil
            }
        return [error] + (cause.map(chain) ?? [])
    }

    private static func kind(of error: any Error) -> Kind {
        switch error {
        case is ValidationError: .badInput
        case is CancellationError: .cancelled
        case let error as DataStoreError: kind(of: error)
        case let error as SourceError: error.kind
        case let error as MaintenanceError: error.kind
        case is ProfileFormatError, is ResumeError: .badInput
        case let error as RepositoryError:
            if error.code == .notFound {
                .notFound
            } else if let cause = error.underlying {
                kind(of: cause)
            } else {
                error.code == .unavailable ? .unavailable : .unexpected
            }
        case is any FetchFailure: .unavailable
        default: .unexpected
        }
    }

    private static func kind(of error: DataStoreError) -> Kind {
        switch error.code {
        case .invalidKey, .invalidRecord, .invalidQuery, .notUnique: .badInput
        case .notAStore, .unsupportedFileSystem: .cannotCreate
        case .readOnly: .noPermission
        case .busy: .busy
        case .inputOutput:
            switch error.errno {
            case EACCES, EPERM: .noPermission
            case ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, EEXIST, ENOENT: .cannotCreate
            default: .inputOutput
            }
        case .closed: .unexpected
        default: .inputOutput
        }
    }
}
