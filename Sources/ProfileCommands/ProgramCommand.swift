import ArgumentParser

/// A command of the program. It runs in a ``Session`` with the configuration that its options select.
protocol ProgramCommand: AsyncParsableCommand {
    associatedtype Options: SessionOptions

    /// The name and the help of the command.
    static var help: CommandHelp { get }

    /// The common options of the command.
    var options: Options { get }

    /// The options for fetching forecasts, or `nil` if the command has none.
    var forecastOptions: ForecastOptions? { get }

    /// Whether the command works in steps and keeps the finished ones when it is interrupted.
    var keepsFinishedSteps: Bool { get }

    /// Runs the command. The program reports the error that this function throws.
    func run(in session: Session) async throws
}

extension ProgramCommand {
    static var configuration: CommandConfiguration { help.configuration }

    var forecastOptions: ForecastOptions? { nil }

    var keepsFinishedSteps: Bool { false }

    /// The message of an interrupted command.
    private var interruption: String {
        keepsFinishedSteps
            ? "interrupted; the finished part is saved, run the command again to continue"
            : "interrupted; nothing was changed"
    }

    /// Reads the configuration and runs the command. The options override the other sources of the configuration.
    ///
    /// - Parameter program: The program that runs the command.
    /// - Throws: An exit code of sysexits.h, after the failure has been reported.
    func run(in program: ProfileProgram) async throws {
        do {
            let configuration = try Configuration.read(
                program: "profile-cli", environment: options.storeLocation?.environment,
                store: options.storeLocation?.store, user: options.user,
                forecastService: forecastOptions?.service, forecastURL: forecastOptions?.url, kinds: program.stores)
            let coordinates = try forecastOptions?.coordinates()
            let source = try program.source?(
                configuration.forecastService(coordinates: coordinates), configuration.forecastOptions)
            let session = Session(
                program: program, configuration: configuration, format: Console.style.isJSON ? .json : .text,
                source: source, isVerbose: options.output.verbose, keys: options.storeLocation?.keys(configuration))
            try await session.run(self)
        } catch {
            Interruption.exitIfInterrupted(saying: error is CancellationError ? interruption : nil)
            // Only the larger program knows all schemes. If it is not installed, this program reports the error.
            if program.isUnknownScheme(error) { _ = program.executeLargerProgram() }
            throw ExitCode.reporting(error, isVerbose: options.output.verbose)
        }
    }
}

/// The help of a command, as one text. The first line has the name of the command and a summary.
struct CommandHelp: ExpressibleByStringLiteral {
    let configuration: CommandConfiguration

    init(stringLiteral text: String) {
        let name = text.prefix { $0 != ":" }
        let summary = text.dropFirst(name.count + 2).prefix { $0 != "\n" }
        // An empty line precedes the description.
        let description = text[summary.endIndex...].dropFirst(2)
        configuration = CommandConfiguration(
            commandName: String(name), abstract: String(summary), discussion: String(description))
    }
}
