/// The settings that a program reads when it starts: the store, the user, and the weather service.
///
/// Each setting is read from the first source that has it: the command line, an environment variable, a JSON file, or
/// the default.
///
/// | setting | environment variable | in the file |
/// | --- | --- | --- |
/// | the environment | `PROFILE_ENVIRONMENT` | `environment` |
/// | the store | `PROFILE_STORE` | `store` |
/// | the user | `PROFILE_USER` | `user` |
/// | the file with the key of sealed fields | `PROFILE_KEY_FILE` | `key.file` |
/// | the URL of the weather service | `PROFILE_FORECAST_URL` | `forecast.url` |
/// | the provider of the weather service | `PROFILE_FORECAST_SERVICE` | `forecast.service` |
/// | the time limit of a fetch, e.g. `30s` | `PROFILE_FORECAST_TIMEOUT` | `forecast.timeout` |
///
/// ```json
/// {
///   "environment": "staging",
///   "forecast": {"service": "tsukumijima"},
///   "environments": {
///     "staging": {"store": "lmdb:/srv/staging/profiles", "forecast": {"url": "http://127.0.0.1:8080"}}
///   }
/// }
/// ```
///
/// Settings in the entry of an environment under `environments` override those at the top level. The top-level `store`
/// applies only to the environment that the file names in `environment`, or to production if the file names none. Every
/// other environment has a separate default store.
///
/// Reading the configuration fails if an unknown key resembles a known one, because it is probably misspelled. Other
/// unknown keys are ignored, so a program can keep its own settings in the same file.
public struct Configuration: Sendable {
    /// The deployment environment of a program. By default, each environment has a separate store.
    ///
    /// ```swift
    /// let configuration = try Configuration.read(program: "my-program", environment: "staging")
    /// ```
    public enum Environment: String, Sendable, CaseIterable {
        /// The environment on a developer's machine.
        case development
        /// A copy of the production setup with separate data, for final tests.
        case staging
        /// The environment that the program's users use.
        case production
    }

    /// A setting that a program reads when it starts. The raw value is the name of the setting in the configuration
    /// file.
    enum Setting: String, CaseIterable, Sendable {
        case environment, store, user
        case keyFile = "key.file"
        case forecastService = "forecast.service"
        case forecastURL = "forecast.url"
        case forecastTimeout = "forecast.timeout"

        /// The name of the environment variable for the setting, e.g. `PROFILE_FORECAST_URL`.
        var variable: String { "PROFILE_" + String(rawValue.uppercased().map { $0 == "." ? "_" : $0 }) }

        /// Returns the path of the setting in the file's entry for an environment, e.g.
        /// `environments.staging.forecast.url`.
        func member(of environment: Environment) -> String { "environments.\(environment.rawValue).\(rawValue)" }
    }

    /// The deployment environment. The default is ``Environment/production``.
    public let environment: Environment

    /// The location of the store. The default is an LMDB environment in the data directory.
    public let store: StorageLocation

    /// The id of the user whose profile the program uses. The default is `me`.
    public let user: UserID

    /// The path of the file with the key of sealed fields, or `nil` if it is not set.
    public let keyFile: String?

    /// The provider of the weather service. The default is weather.tsukumijima.net.
    package let forecastProvider: ForecastService.Provider

    /// The URL of the weather service. The default is the public URL of the provider.
    package let forecastURL: String

    /// The time limit of a fetch from the weather service, including redirects and retries. The default is 30 seconds.
    package let forecastTimeout: Duration

    /// The source of each setting that is not the default, e.g. `environment variable PROFILE_STORE`.
    let origins: [Setting: String]

    /// Whether no source sets the store, so that the default store is used.
    package var usesDefaultStore: Bool { origins[.store] == nil }

    /// All settings, each with its name in the configuration file, its value as text, and its source.
    package var settings: [(name: String, value: String, origin: String)] {
        Setting.allCases.compactMap { key in
            let value: String? =
                switch key {
                case .environment: environment.rawValue
                case .store: store.description
                case .user: user.text
                case .keyFile: keyFile
                case .forecastService: forecastProvider.rawValue
                case .forecastURL: forecastURL
                case .forecastTimeout: "\(forecastTimeout.components.seconds)s"
                }
            return value.map { (key.rawValue, $0, origins[key] ?? "default") }
        }
    }

    /// The options for fetching forecasts, with the configured time limit.
    public var forecastOptions: FetchOptions {
        var options = FetchOptions()
        options.timeout = forecastTimeout
        // A short time limit keeps the usual idle timeout. A long one also extends the idle timeout.
        options.idleTimeout = max(options.idleTimeout, forecastTimeout / 3)
        return options
    }

    /// Returns the configured weather service, from which `ForecastSource` implementations fetch.
    ///
    /// - Parameter coordinates: The coordinates for requests to Open-Meteo. If `nil`, each request uses the coordinates
    ///   of the prefecture office of the requested city, and fails if the city has no such office. Other providers
    ///   ignore the parameter.
    /// - Returns: The weather service.
    /// - Throws: `ValidationError` if a setting is invalid. A configuration from
    ///   ``read(program:environment:store:user:forecastService:forecastURL:variables:kinds:)`` is valid.
    public func forecastService(coordinates: Coordinates? = nil) throws(ValidationError) -> ForecastService {
        try ForecastService(forecastProvider, baseURL: forecastURL, coordinates: coordinates)
    }
}
