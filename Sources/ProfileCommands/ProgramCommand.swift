import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// A command of the program. After the arguments are parsed, ``run(in:)`` is called with the program that runs the
/// command.
protocol ProgramCommand: AsyncParsableCommand {
    /// Runs the command.
    ///
    /// - Parameter program: The program that runs the command.
    /// - Throws: An exit code of sysexits.h, after the failure has been reported.
    func run(in program: ProfileProgram) async throws
}

extension ProfileProgram {
    /// Runs a closure in a session. The options of the command override the other sources of the configuration.
    ///
    /// - Throws: An exit code of sysexits.h, after the failure has been reported.
    func run(
        _ options: StoreOptions, _ forecast: ForecastOptions? = nil, _ body: (Session) async throws -> Void
    ) async throws {
        try await run(options.location, format: options.format, forecast, body)
    }

    /// Runs a closure in a session. The options of the command override the other sources of the configuration.
    ///
    /// - Throws: An exit code of sysexits.h, after the failure has been reported.
    func run(
        _ options: UserOptions, _ forecast: ForecastOptions? = nil, _ body: (Session) async throws -> Void
    ) async throws {
        let store = options.store
        try await run(store.location, user: options.user, format: store.format, forecast, body)
    }

    /// Runs a closure in a session. The options of the command override the other sources of the configuration.
    ///
    /// - Throws: An exit code of sysexits.h, after the failure has been reported.
    func run(
        _ location: LocationOptions, user: String? = nil, format: StoreOptions.Format = .text,
        _ forecast: ForecastOptions? = nil, _ body: (Session) async throws -> Void
    ) async throws {
        var overrides: [String: String] = [:]
        overrides["environment"] = location.environment
        overrides["store"] = location.store
        overrides["user"] = user
        try await run(overrides, format: format, forecast, isVerbose: location.verbosity.verbose, body)
    }

    /// Reads the configuration and runs a closure in a session.
    ///
    /// - Throws: An exit code of sysexits.h, after the failure has been reported.
    func run(
        _ overrides: [String: String] = [:], format: StoreOptions.Format = .text,
        _ forecast: ForecastOptions? = nil, isVerbose: Bool, _ body: (Session) async throws -> Void
    ) async throws {
        do {
            var overrides = overrides
            overrides["forecast.service"] = forecast?.service
            overrides["forecast.url"] = forecast?.url
            let configuration = try Configuration.read(program: "profile-cli", overrides: overrides, kinds: stores)
            let coordinates = try forecast?.coordinates()
            let source = try source?(
                configuration.forecastService(coordinates: coordinates), configuration.forecastOptions)
            try await body(
                Session(configuration: configuration, format: format, source: source, isVerbose: isVerbose))
        } catch {
            Interruption.exitIfInterrupted()
            // Only the larger program knows all schemes. If it is not installed, this program reports the error.
            if isUnknownScheme(error) { _ = executeLargerProgram() }
            throw ExitCode.reporting(error, isVerbose: isVerbose)
        }
    }

    /// If this program has no source of forecasts, executes ``largerProgram`` instead, in this process and with the
    /// same arguments. Returns only if this program has a source, or if no larger program exists.
    ///
    /// - Throws: ``UnreadableFile`` if the larger program exists but cannot be executed.
    func requireSource() throws {
        if source == nil, let failure = executeLargerProgram() { throw failure }
    }

    /// Returns whether an error states that no kind of store of this program has the scheme of a location.
    private func isUnknownScheme(_ error: any Error) -> Bool {
        let cause = (error as? ConfigurationError)?.underlying ?? error
        guard let cause = cause as? UserProfileDomain.ValidationError, cause.subject == .storageLocation,
            let colon = cause.given.firstIndex(of: ":")
        else { return false }
        return !stores.contains { $0.scheme == cause.given[..<colon] }
    }
}
