import ArgumentParser
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
