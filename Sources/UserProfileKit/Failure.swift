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

/// A classification of the errors of this library. Use it to choose the exit code of a command or the status of a
/// response.
///
/// ```swift
/// do { … } catch {
///     let failure = Failure(error)
///     switch failure.kind { case .badInput: … }
/// }
/// ```
public struct Failure: Sendable {
    /// The kinds of failures that a program handles differently.
    public enum Kind: Sendable {
        /// A value is invalid. Report this to the person who entered it.
        case badInput
        /// The input does not exist, or is not of the expected kind.
        case noInput
        /// Something other than a store is at the location, or the store cannot be created there.
        case cannotCreate
        /// The operating system denies access, or the store is read-only.
        case noPermission
        /// Another process holds a lock; retry.
        case busy
        /// A device failed, the disk is full, or stored bytes are corrupted.
        case inputOutput
        /// The requested city is unknown.
        case notFound
        /// A service does not respond or rejects the request.
        case unavailable
        /// The task was cancelled; nothing was changed.
        case cancelled
        /// Any other failure, which indicates a programming error.
        case unexpected
    }

    /// The kind of failure.
    public let kind: Kind

    /// One sentence for the user.
    public let message: String

    /// The chain of errors, from the outermost one to the cause.
    package let causes: [any Error]

    /// Classifies an error.
    ///
    /// - Parameter error: An error of a use case or of `UserProfileStorage.open`.
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
        case .closed, .misuse: .unexpected
        default: .inputOutput
        }
    }
}
