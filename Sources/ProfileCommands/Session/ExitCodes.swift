import ArgumentParser
import DataStoreSystem

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

    init(_ kind: Failure.Kind) {
        self =
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

    /// Prints the message of an error. If `isVerbose` is `true`, also prints the causes.
    ///
    /// - Returns: The exit code for the error.
    static func reporting(_ error: any Error, isVerbose: Bool) -> ExitCode {
        switch error {
        case let code as ExitCode:
            return code
        case let error as CommandError:
            switch error.code {
            // The reader of the messages has probably ended, too.
            case .brokenPipe: break
            case .usage: Console.usageFailure(error.message)
            default: Console.failure(error.message, error.code)
            }
            return error.code
        case let error as ConfigurationError:
            if error.isOfFile, let cause = error.underlying as? DataStoreError {
                return reporting(CommandError.unreadable("\(error)", cause.errno, cause.reason), isVerbose: isVerbose)
            }
            let code: ExitCode = error.isOfFile ? .configuration : .badInput
            return reporting(CommandError(code, error.description), isVerbose: isVerbose)
        case let error as QueryError:
            let code: ExitCode = error.isBadValue ? .badInput : .usage
            Console.failure(error.description, code)
            return code
        default:
            let failure = Failure(error)
            let causes = isVerbose ? failure.causes.dropFirst().map { "\($0)" } : []
            let isDamaged = failure.causes.contains { ($0 as? DataStoreError)?.code == .corrupted }
            let next = isDamaged && !failure.message.contains("backup") ? "; run profile-cli store check" : ""
            Console.failure(failure.message + next, ExitCode(failure.kind), causes: causes)
            return ExitCode(failure.kind)
        }
    }
}

/// An error that determines the exit code of the program. The code `usage` states that the arguments cannot be used
/// together, and `brokenPipe` that the reader of a result has closed the pipe, for which no message is printed.
struct CommandError: Error {
    let code: ExitCode
    let message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Returns the error for a file that cannot be read or executed. The message ends with the reason.
    static func unreadable(_ message: String, _ errorNumber: Int32?, _ reason: String) -> CommandError {
        let isForbidden = errorNumber == EACCES || errorNumber == EPERM
        return CommandError(isForbidden ? .noPermission : .noInput, "\(message): \(reason)")
    }
}
