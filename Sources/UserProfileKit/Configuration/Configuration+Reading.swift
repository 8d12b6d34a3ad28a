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
    ///   - program: the name of the program, which is also the name of its data and configuration directories.
    ///   - overrides: The values on the command line, by the names of their settings: `environment`, `store`, `user`,
    ///     `forecast.service`, `forecast.url` and `forecast.timeout`.
    ///   - variables: the environment variables; empty ones are ignored. `nil` stands for those of the process.
    ///   - kinds: the kinds of stores that the program supports. Without the kind `lmdb`, a store must be configured.
    /// - Returns: the configuration.
    /// - Throws: ``ConfigurationError``, or `ValidationError` if the user's id is invalid.
    public static func read(
        program: String, overrides: [String: String] = [:], variables: [String: String]? = nil,
        kinds: [any StoreKind] = .local
    ) throws -> Configuration {
        let directories = BaseDirectories(
            program: program, try checked(variables ?? ProcessInfo.processInfo.environment))
        let sources = try ConfigurationSources(
            overrides: overrides, variables: directories.variables, file: directories.configurationFile)

        let environment = try sources.setting(.environment, otherwise: "production") { text throws(ValidationError) in
            guard let environment = Environment(rawValue: text) else {
                throw ValidationError(
                    Environment.subject, given: text, rule: "it must be development, staging or production")
            }
            return environment
        }
        let named = sources.of(environment.value)
        let suffix = environment.value == .production ? "" : "-\(environment.value)"
        let store = try named.setting(.store, otherwise: "lmdb:\(directories.data)\(suffix)") {
            text throws(ValidationError) in
            try StorageLocation(text, kinds: kinds)
        }
        let provider = try named.setting(.forecastService, otherwise: "tsukumijima") { text throws(ValidationError) in
            guard let provider = ForecastService.Provider(rawValue: text) else {
                let names = ForecastService.Provider.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError(.webAddress, given: text, rule: "a weather service is one of \(names)")
            }
            return provider
        }
        let url = try named.setting(.forecastURL, otherwise: provider.value.baseURL) { text throws(ValidationError) in
            // The provider's own URL is known to be valid. Validating it would take longer than all the rest.
            text == provider.value.baseURL ? text : try ForecastService(provider.value, baseURL: text).baseURL
        }
        let timeout = try named.setting(.forecastTimeout, otherwise: "30s") { text throws(ValidationError) in
            try Duration(age: text)
        }
        // An invalid user is bad input and not a wrong configuration: people type ids as often as they configure them.
        let user = try named.text(.user).map { text, origin in Setting(value: try UserID(text), origin: origin) }
        return Configuration(
            environment: environment, store: store, user: user ?? Setting(value: .me, origin: .standard),
            forecastProvider: provider, forecastURL: url, forecastTimeout: timeout)
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
