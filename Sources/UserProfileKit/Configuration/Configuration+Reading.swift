import DataStoreCore
import DataStoreFiles
import ForecastAPI
import UserProfileDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Configuration {
    /// Reads the configuration of a program from the command line, environment variables and the configuration file.
    ///
    /// - Parameters:
    ///   - program: The name of the program. The data and configuration directories have this name, too.
    ///   - overrides: The values from the command line. The keys are `environment`, `store`, `user`,
    ///     `forecast.service`, `forecast.url` and `forecast.timeout`.
    ///   - variables: The environment variables, or `nil` to use the variables of the process. Empty variables are
    ///     ignored.
    ///   - kinds: The kinds of stores that the program supports. The default store is of the kind `lmdb`. If `kinds`
    ///     does not contain this kind, reading the configuration fails unless a source sets `store`.
    /// - Returns: The configuration.
    /// - Throws: `ValidationError` if the user id on the command line is invalid. An error that names the file if the
    ///   configuration file is invalid or cannot be read. An error that names the setting or variable if any other
    ///   value is invalid, or if `HOME` is a relative path. An error if the stack limit of the process is less than
    ///   1 MiB.
    public static func read(
        program: String, overrides: [String: String] = [:], variables: [String: String]? = nil,
        kinds: [any StoreKind] = .local
    ) throws -> Configuration {
        try StackLimit.check()
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
            // The default URL of a provider is known to be valid. Validating it would take longer than reading all
            // other settings.
            text == provider.baseURL ? text : try ForecastService(provider, baseURL: text).baseURL
        }
        let timeout = try sources.setting(.forecastTimeout, otherwise: "30s") { text throws(ValidationError) in
            try Duration(age: text)
        }
        // An invalid id on the command line is invalid input and not an invalid configuration.
        let user =
            if overrides[ConfigurationKey.user.rawValue] != nil, let text = try sources.text(.user) {
                try UserID(text)
            } else {
                try sources.setting(.user, otherwise: UserID.me.text, UserID.init)
            }
        return Configuration(
            environment: environment, store: store, user: user,
            forecastProvider: provider, forecastURL: url, forecastTimeout: timeout, origins: sources.origins)
    }

    /// Returns the non-empty environment variables that a configuration uses.
    ///
    /// Throws a ``ConfigurationError`` if a value contains U+FFFD, which replaces bytes that are not UTF-8, or if `HOME`
    /// is a relative path. The store would otherwise depend on the working directory.
    private static func checked(_ variables: [String: String]) throws -> [String: String] {
        let used = variables.filter { name, value in
            !value.isEmpty && (name.hasPrefix("PROFILE_") || name.hasPrefix("XDG_") || name == "HOME")
        }
        for (name, value) in used where value.unicodeScalars.contains("\u{FFFD}") {
            throw ConfigurationError(.invalidValue, "the environment variable \(name) is not valid UTF-8")
        }
        if let home = used["HOME"], !home.hasPrefix("/") {
            throw ConfigurationError(
                .invalidValue,
                "the environment variable HOME is not an absolute path: \(home.escapingControlCharacters); correct it")
        }
        return used
    }
}

extension Configuration.Environment {
    static let subject = ValidationError.Subject("an environment")
}
