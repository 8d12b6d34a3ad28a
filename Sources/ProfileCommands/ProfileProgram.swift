// The declarations of this target use this module. Its re-export serves the files here and the programs that import
// the target.
@_exported public import UserProfileKit
import ArgumentParser
import DataStoreSystem
import Synchronization

/// A command-line program with all commands of this module. Its properties determine which kinds of stores it opens and
/// how it fetches forecasts.
///
/// ```swift
/// ProfileProgram(stores: .local, largerProgram: "profile-cli-online").main()
/// ```
package struct ProfileProgram: Sendable {
    /// The kinds of stores that the program can open. They verify what they read.
    let stores: [any StoreKind]

    /// A closure that creates the source of forecasts, or `nil` if this program cannot fetch forecasts.
    let source: (@Sendable (ForecastService, FetchOptions) -> any ForecastSource)?

    /// The name of another program in `libexec`, or `nil` if no such program exists. This program launches the other
    /// one to fetch a forecast, or to open a store whose scheme it does not know.
    let largerProgram: String?

    /// Creates a program.
    ///
    /// - Parameters:
    ///   - stores: The kinds of stores that the program can open.
    ///   - largerProgram: The name of another program in `libexec`, or `nil` if no such program exists. The created
    ///     program launches the other one to fetch a forecast, or to open a store whose scheme it does not know.
    ///   - source: A closure that creates the source of forecasts, or `nil` if this program cannot fetch forecasts.
    package init(
        stores: [any StoreKind], largerProgram: String? = nil,
        source: (@Sendable (ForecastService, FetchOptions) -> any ForecastSource)? = nil
    ) {
        self.stores = stores.map(\.verifying)
        self.largerProgram = largerProgram
        self.source = source
    }

    /// Runs the command that the arguments of the process select, and ends the process.
    package func main() -> Never {
        do {
            try Thread.checkStackLimit()
        } catch {
            // Parsing the arguments may already need more stack.
            Console.failure(error.reason, .inputOutput)
            exit(EX_IOERR)
        }
        Interruption.reportFaults()
        FileLock.waitObserver.withLock { $0 = Console.noteWait(forLockOf:by:second:) }
        Interruption.run {
            do {
                try reserveStandardStreams()
                if let argument = Self.invalidArgument {
                    throw CommandError(.badInput, "the argument '\(argument.shortened)' is not valid UTF-8")
                }
                let path = Console.command
                if let mistake = path.mistake { throw CommandError(.usage, mistake) }
                guard let first = path.arguments.first, first != "---words" else {
                    let words = CommandPath.completedWords(of: Array(path.arguments.dropFirst()))
                    try Console.write(path.arguments.isEmpty ? RootCommand.welcome : words)
                    RootCommand.exit()
                }
                var command = try await RootCommand.asyncParseAsRoot(path.arguments)
                if let command = command as? any ProgramCommand {
                    try await command.run(in: self)
                } else {
                    try command.run()
                }
            } catch {
                RootCommand.exit(withError: Self.report(error))
            }
            RootCommand.exit()
        }
    }

    /// The first argument of the process that is not UTF-8. The runtime replaces its invalid bytes by U+FFFD, so that a
    /// value would be saved that the user did not enter.
    private static var invalidArgument: String? {
        CommandLine.arguments.enumerated().first { index, argument in
            // The arguments live as long as the process.
            guard argument.unicodeScalars.contains("\u{FFFD}"), let bytes = unsafe CommandLine.unsafeArgv[index]
            else { return false }
            return unsafe String(validatingCString: bytes) == nil
        }?.element
    }

    /// Prints the message of an error, or the help that ArgumentParser throws.
    ///
    /// - Returns: The exit code of the program.
    private static func report(_ error: any Error) -> ExitCode {
        if error is CommandError || error is DataStoreError { return .reporting(error, isVerbose: false) }
        // ArgumentParser wraps help to the width of the terminal, and traps in a debug build if the terminal is narrow.
        // This program wraps help itself.
        // The call copies both strings.
        let unlimited = 1 << 20
        _ = unsafe setenv("COLUMNS", "\(unlimited)", 1)
        let code = RootCommand.exitCode(for: error)
        if code == .success {
            let text = RootCommand.fullMessage(for: error, columns: unlimited)
            do {
                let isHelp = text.hasPrefix("OVERVIEW: ")
                let help = text.help(isShort: Console.command.hasShortHelp, columns: Console.width)
                try Console.write([isHelp ? help : text.withCorrectedCompletion])
            } catch {
                return ExitCode.reporting(error, isVerbose: false)
            }
        } else {
            let message = RootCommand.message(for: error)
            // If the message is empty, the command has already reported the error.
            if !message.isEmpty {
                Console.usageFailure(Console.command.usageMessage(message, for: CommandLine.arguments))
            }
        }
        return code
    }
}

extension ProfileProgram {
    /// Executes ``largerProgram`` in place of this program, in the same process and with the same arguments. Returns
    /// only if the larger program cannot be executed or does not exist.
    ///
    /// Only the larger program links network libraries, because they load some thirty shared libraries. Loading these
    /// takes longer than most commands run.
    ///
    /// - Returns: The error if the larger program cannot be executed, or `nil` if there is no larger program.
    func executeLargerProgram() -> CommandError? {
        guard let largerProgram else { return nil }
        let directory = Self.directory
        let installed = "\(Path(directory).parent)/libexec/\(largerProgram)"
        // SwiftPM builds all programs into one directory.
        let paths = [installed, "\(directory)/\(largerProgram)"]
        // The arguments live as long as the process. execv(2) returns only if it fails.
        for path in paths { unsafe execv(path, CommandLine.unsafeArgv) }
        let code = errno
        return .unreadable(
            "could not run \(installed.escapingControlCharacters), which fetches forecasts and opens databases", code,
            DataStoreError.meaning(ofErrorNumber: code).reason)
    }

    /// If this program has no source of forecasts, executes ``largerProgram`` instead, in this process and with the
    /// same arguments. Returns only if this program has a source, or if no larger program exists.
    ///
    /// - Throws: An error if the larger program exists but cannot be executed.
    func requireSource() throws {
        if source == nil, let failure = executeLargerProgram() { throw failure }
    }

    /// Returns whether an error states that no kind of store of this program has the scheme of a location.
    func isUnknownScheme(_ error: any Error) -> Bool {
        let cause = (error as? ConfigurationError)?.underlying ?? error
        guard let cause = cause as? UserProfileDomain.ValidationError, cause.subject == .storageLocation,
            let colon = cause.given.firstIndex(of: ":")
        else { return false }
        return !stores.contains { $0.scheme == cause.given[..<colon] }
    }

    /// The directory of the running program, without symbolic links.
    private static var directory: String {
        #if canImport(Darwin)
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        var size = UInt32(path.count)
        guard unsafe _NSGetExecutablePath(&path, &size) == 0 else { return "." }
        #else
        let path = "/proc/self/exe"
        #endif
        // The caller owns the result.
        guard let resolved = unsafe realpath(path, nil) else { return "." }
        defer { unsafe free(resolved) }
        return unsafe Path(String(cString: resolved)).parent
    }
}
