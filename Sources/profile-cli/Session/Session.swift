import ArgumentParser
import Foundation
import UserProfileDomain
import UserProfileKit

/// One run of a command: its settings, the storage it opens, and how a failure becomes a message and an exit code.
struct Session {
    let settings: Settings
    let format: StoreOptions.Format
    private let isVerbose: Bool

    /// Runs a command, and ends the program as sysexits.h has it where it fails.
    static func run(_ options: StoreOptions, _ body: (Session) async throws -> Void) async throws {
        do {
            try await body(
                Session(settings: Settings(options), format: options.format, isVerbose: options.verbose))
        } catch {
            throw report(error, isVerbose: options.verbose)
        }
    }

    /// Opens the storage for a while.
    func withStorage<Result>(_ body: (UserProfileStorage) async throws -> Result) async throws -> Result {
        note("using \(settings.location)")
        let storage = try await UserProfileStorage.open(settings.location)
        do {
            let result = try await body(storage)
            await storage.close()
            return result
        } catch {
            await storage.close()
            throw error
        }
    }

    /// Says something on standard error where the user wants to know more.
    func note(_ text: String) { if isVerbose { Console.error(text) } }

    // MARK: Failures

    private static func report(_ error: any Error, isVerbose: Bool) -> ExitCode {
        switch error {
        case let error as NothingSaved:
            Console.error(error.message)
            return ExitCode(1)
        case let error as UsageError:
            Console.error(error.message)
            return ExitCode(EX_USAGE)
        case let error as UnreadableFile:
            Console.error(error.message)
            return ExitCode(error.isForbidden ? EX_NOPERM : EX_NOINPUT)
        case let error as OutputError:
            Console.error(error.message)
            return ExitCode(EX_IOERR)
        default:
            let failure = Failure(error)
            Console.error(failure.message)
            if isVerbose { for cause in failure.causes.dropFirst() { Console.error("  caused by: \(cause)") } }
            return ExitCode(code(of: failure.kind))
        }
    }

    private static func code(of kind: Failure.Kind) -> Int32 {
        switch kind {
        case .badInput: EX_DATAERR
        case .noInput: EX_NOINPUT
        case .cannotCreate: EX_CANTCREAT
        case .noPermission: EX_NOPERM
        case .busy, .cancelled: EX_TEMPFAIL
        case .inputOutput: EX_IOERR
        case .unavailable: EX_UNAVAILABLE
        case .unexpected: EX_SOFTWARE
        }
    }
}
