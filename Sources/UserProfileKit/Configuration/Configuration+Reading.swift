import ForecastAPI
import UserProfileDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Configuration {
    /// Reads the configuration of a program.
    ///
    /// - Parameters:
    ///   - program: The name of the program, which is also the name of its data and configuration directories.
    ///   - overrides: The values on the command line, by the names of their settings: `environment`, `store`, `user`,
    ///     `forecast.service`, `forecast.url` and `forecast.timeout`.
    ///   - variables: The environment variables; empty ones are ignored. `nil` uses the variables of the process.
    ///   - kinds: The kinds of stores that the program supports. Without the kind `lmdb`, a store must be configured.
    /// - Returns: The configuration.
    /// - Throws: An error with the value, its origin and the remedy, or `ValidationError` if the user's id is invalid.
    public static func read(
        program: String, overrides: [String: String] = [:], variables: [String: String]? = nil,
        kinds: [any StoreKind] = .local
    ) throws -> Configuration {
        let directories = BaseDirectories(
            program: program, try checked(variables ?? ProcessInfo.processInfo.environment))
        var sources = try ConfigurationSources(
            overrides: overrides, variables: directories.variables, file: directories.configurationFile)

        let environment = try sources.setting(.environment, otherwise: "production") { text throws(ValidationError) in
            guard let environment = Environment(rawValue: text) else {
                throw ValidationError(
                    Environment.subject, given: text, rule: "use development, staging or production")
            }
            return environment
        }
        sources.environment = environment
        let suffix = environment == .production ? "" : "-\(environment)"
        let store = try sources.setting(.store, otherwise: "lmdb:\(directories.data)\(suffix)") {
            text throws(ValidationError) in
            try StorageLocation(text, kinds: kinds)
        }
        let provider = try sources.setting(.forecastService, otherwise: "tsukumijima") { text throws(ValidationError) in
            guard let provider = ForecastService.Provider(rawValue: text) else {
                let names = ForecastService.Provider.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError(.webAddress, given: text, rule: "use one of \(names)")
            }
            return provider
        }
        let url = try sources.setting(.forecastURL, otherwise: provider.baseURL) { text throws(ValidationError) in
            // The provider's own URL is known to be valid. Validating it would take longer than all the rest.
            text == provider.baseURL ? text : try ForecastService(provider, baseURL: text).baseURL
        }
        let timeout = try sources.setting(.forecastTimeout, otherwise: "30s") { text throws(ValidationError) in
            try Duration(age: text)
        }
        // An invalid user is bad input and not a wrong configuration: people type ids as often as they configure them.
        let user = try sources.text(.user).map(UserID.init) ?? .me
        return Configuration(
            environment: environment, store: store, user: user,
            forecastProvider: provider, forecastURL: url, forecastTimeout: timeout, origins: sources.origins)
    }

    /// Returns the non-empty variables that a configuration uses. Rejects bytes that are not UTF-8, which the system
    /// replaces with U+FFFD.
    private static func checked(_ variables: [String: String]) throws -> [String: String] {
        let used = variables.filter { name, value in
            !value.isEmpty && (name.hasPrefix("PROFILE_") || name.hasPrefix("XDG_") || name == "HOME")
        }
        for (name, value) in used where value.unicodeScalars.contains("\u{FFFD}") {
            throw ConfigurationError(.invalidValue, "the environment variable \(name) is not valid UTF-8")
        }
        return used
    }
}

extension Configuration.Environment {
    static let subject = ValidationError.Subject("an environment")
}
