import ArgumentParser
import DataStoreQueries
import ForecastHTTP
import Foundation
import Logging
import UserProfileDomain
import UserProfileKit

/// One run of a command: its configuration, the storage it opens, and how a failure becomes a message and an exit code.
struct Session {
    let configuration: Configuration
    let format: StoreOptions.Format
    private let coordinates: Coordinates?
    private let isVerbose: Bool

    /// Whose profile is meant.
    var user: UserID { configuration.user.value }

    /// Runs a command, and ends the program as sysexits.h has it where it fails.
    static func run(
        _ options: StoreOptions, _ forecast: ForecastOptions? = nil, _ body: (Session) async throws -> Void
    ) async throws {
        try await run(options.place, user: options.user, format: options.format, forecast, body)
    }

    /// Runs a command, and ends the program as sysexits.h has it where it fails.
    static func run(
        _ place: PlaceOptions, user: String? = nil, format: StoreOptions.Format = .text,
        _ forecast: ForecastOptions? = nil, _ body: (Session) async throws -> Void
    ) async throws {
        var overrides = Configuration.Overrides()
        overrides.environment = place.environment
        overrides.store = place.store
        overrides.user = user
        try await run(overrides, format: format, forecast, isVerbose: place.verbose, body)
    }

    /// Runs a command, and ends the program as sysexits.h has it where it fails.
    static func run(
        _ overrides: Configuration.Overrides = Configuration.Overrides(), format: StoreOptions.Format = .text,
        _ forecast: ForecastOptions? = nil, isVerbose: Bool, _ body: (Session) async throws -> Void
    ) async throws {
        do {
            var overrides = overrides
            overrides.forecastShape = forecast?.service
            overrides.forecastURL = forecast?.url
            try await body(
                Session(
                    configuration: try .read(
                        program: "profile-cli", overrides: overrides, kinds: ProfileCLI.storeKinds),
                    format: format,
                    coordinates: try forecast?.coordinates(), isVerbose: isVerbose))
        } catch {
            Interruption.endIfInterrupted()
            throw report(error, isVerbose: isVerbose)
        }
    }

    /// Opens the storage for a while. With `buildingIndexes`, users are found in it by a condition, or sorted.
    func withStorage<Result>(
        buildingIndexes: Bool = false, _ body: (UserProfileStorage) async throws -> Result
    ) async throws -> Result {
        note("using \(configuration.store.value)")
        let source = HTTPForecastSource(
            try configuration.forecastService(coordinates: coordinates), options: configuration.forecastOptions)
        let storage = try await UserProfileStorage.open(
            configuration.store.value, source: source, buildsIndexes: false, logger: isVerbose ? .console : nil)
        return try await storage.closing { storage in
            if buildingIndexes { try await buildIndexes(storage) }
            return try await body(storage)
        }
    }

    /// Makes the indexes that a store of many users has not yet, because they were copied to it or saved by an older program.
    ///
    /// A store that holds its records in memory, such as a property list, is skipped: queries index it when they need it.
    private func buildIndexes(_ storage: UserProfileStorage) async throws {
        guard configuration.store.value.kind.storesIndexes else { return }
        let progress = IndexProgress()
        defer { progress.clear() }
        do {
            try await storage.records.buildIndexes(progress: progress.show)
        } catch let error where !(error is CancellationError) {
            // Who may only read, or has no room left, finds the same without.
            progress.clear()
            note("indexes cannot be made, so all users are looked at: \(error)")
        }
    }

    /// Says something on standard error where the user wants to know more.
    func note(_ text: @autoclosure () -> String) { if isVerbose { Console.error(text()) } }

    // MARK: Failures

    /// Says what failed, and causes where the user wants to know more.
    ///
    /// - Returns: the exit code.
    func say(_ error: any Error) -> ExitCode { Session.report(error, isVerbose: isVerbose) }

    private static func report(_ error: any Error, isVerbose: Bool) -> ExitCode {
        switch error {
        case let code as ExitCode:
            return code
        case let error as NothingSaved:
            Console.failure(error.message)
            return ExitCode(1)
        case let error as UsageError:
            Console.failure(error.message)
            return ExitCode(EX_USAGE)
        case let error as ConfigurationError:
            guard error.code == .unreadableFile, let cause = error.underlying else {
                Console.failure(error.description)
                return ExitCode(EX_USAGE)
            }
            let problem = FileProblem(cause)
            Console.failure("\(error): \(problem.words)")
            return ExitCode(problem.isForbidden ? EX_NOPERM : EX_NOINPUT)
        case let error as QueryError:
            Console.failure(error.message)
            return ExitCode(error.isBadValue ? EX_DATAERR : EX_USAGE)
        case let error as UnreadableFile:
            Console.failure(error.message)
            return ExitCode(error.isForbidden ? EX_NOPERM : EX_NOINPUT)
        case let error as OutputError where error.hasNoReader:
            // Whoever reads has enough; a shell sees what it sees of every program in a pipe.
            return ExitCode(128 + SIGPIPE)
        case let error as OutputError:
            Console.failure(error.message)
            return ExitCode(EX_IOERR)
        case let error as OutputExists:
            Console.failure(error.message)
            return ExitCode(EX_CANTCREAT)
        default:
            let failure = Failure(error)
            Console.failure(failure.message)
            if isVerbose { for cause in failure.causes.dropFirst() { Console.error("  caused by: \(cause)") } }
            return ExitCode(code(of: failure.kind))
        }
    }

    private static func code(of kind: Failure.Kind) -> Int32 {
        switch kind {
        case .notFound: 1
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
