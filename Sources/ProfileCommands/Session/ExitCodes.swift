import ArgumentParser
import DataStoreCore
import DataStoreSystem
import ProfileFormats
import UserProfileKit

// These functions convert errors to messages and exit codes.
extension ExitCode {
    /// Prints the message of an error. If `isVerbose` is `true`, also prints the causes.
    ///
    /// - Returns: The exit code for the error.
    static func reporting(_ error: any Error, isVerbose: Bool) -> ExitCode {
        switch error {
        case let code as ExitCode:
            return code
        case let error as NothingSaved:
            Console.failure(error.message)
            return .notSaved
        case let error as UsageError:
            Console.usageFailure(error.message)
            return .usage
        case let error as ConfigurationError:
            guard error.code == .unreadableFile, let cause = error.underlying else {
                Console.failure(error.description)
                return error.code == .invalidFile ? .configuration : .badInput
            }
            let problem = FileProblem(cause)
            Console.failure("\(error): \(problem.description)")
            return problem.isForbidden ? .noPermission : .noInput
        case let error as QueryError:
            Console.failure(error.description)
            return error.isBadValue ? .badInput : .usage
        case let error as UnreadableFile:
            Console.failure(error.message)
            return error.isForbidden ? .noPermission : .noInput
        case let error as OutputError where error.hasNoReader:
            // The reader has closed the pipe. The exit code is the one that a shell reports after a broken pipe.
            return .brokenPipe
        case let error as OutputError:
            Console.failure(error.message)
            return code(of: error.kind)
        case let error as OutputExists:
            Console.failure(error.message)
            return .cannotCreate
        default:
            let failure = Failure(error)
            Console.failure(failure.message)
            if isVerbose { for cause in failure.causes.dropFirst() { Console.error("  caused by: \(cause)") } }
            return code(of: failure.kind)
        }
    }

    private static func code(of kind: Failure.Kind) -> ExitCode {
        switch kind {
        case .notFound: .notSaved
        case .badInput: .badInput
        case .noInput: .noInput
        case .cannotCreate: .cannotCreate
        case .noPermission: .noPermission
        case .busy, .cancelled: .tryAgain
        case .inputOutput: .inputOutput
        case .unavailable: .unavailable
        case .unexpected: .unexpected
        }
    }
}

/// The exit codes of sysexits.h, the code 1 if a value is not saved, and the code that a shell reports for a broken
/// pipe.
extension ExitCode {
    static let notSaved = ExitCode(1)
    static let usage = ExitCode(EX_USAGE)
    static let badInput = ExitCode(EX_DATAERR)
    static let noInput = ExitCode(EX_NOINPUT)
    static let unavailable = ExitCode(EX_UNAVAILABLE)
    static let unexpected = ExitCode(EX_SOFTWARE)
    static let cannotCreate = ExitCode(EX_CANTCREAT)
    static let inputOutput = ExitCode(EX_IOERR)
    static let tryAgain = ExitCode(EX_TEMPFAIL)
    static let noPermission = ExitCode(EX_NOPERM)
    static let configuration = ExitCode(EX_CONFIG)
    static let brokenPipe = ExitCode(128 + SIGPIPE)
}

/// An error which states that the requested value is not saved. The exit code is 1.
struct NothingSaved: Error {
    let message: String
}

/// An error which states that the arguments cannot be used together. The exit code is 64.
struct UsageError: Error {
    let message: String
}

/// An error which states that an input file cannot be read. The exit code is 66, or 77 if permission is denied.
struct UnreadableFile: Error {
    let message: String
    let isForbidden: Bool
}

/// An error which states that a result could not be written. `kind` determines the exit code. If the reader has closed
/// the pipe, the exit code is 141, and no message is printed.
struct OutputError: Error {
    let message: String
    var hasNoReader = false
    var kind = Failure.Kind.inputOutput
}

/// An error which states that the output file already exists. The exit code is 73.
struct OutputExists: Error {
    let message: String
}

/// The reason why a file cannot be read or written.
struct FileProblem {
    private let code: Int32?

    /// The reason and the remedy, as the last part of an error message.
    let description: String

    init(_ error: any Error) {
        let found = error as? DataStoreError
        (code, description) = (found?.errno, found?.reason ?? "\(error)")
    }

    /// Creates a reason from the error number of a failed system call.
    init(errno: Int32) {
        code = errno
        description =
            errno == EPIPE
            ? "the reader has closed the pipe" : DataStoreError.meaning(ofErrorNumber: errno).reason
    }

    /// Whether the operating system denied permission.
    var isForbidden: Bool { code == EACCES || code == EPERM }

    /// Whether the file does not exist.
    var isMissing: Bool { code == ENOENT }

    /// Whether a write failed because the reader has closed the pipe.
    var isBrokenPipe: Bool { code == EPIPE }
}
