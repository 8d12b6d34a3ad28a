public import ForecastAPI
public import UserProfileDomain

/// The settings that a program reads when it starts: the store, the user, and the weather service.
///
/// Each setting is read from the command line, from environment variables, from a JSON file, or from the defaults, in
/// this order:
///
/// | setting | environment variable | in the file |
/// | --- | --- | --- |
/// | the environment | `PROFILE_ENVIRONMENT` | `environment` |
/// | the store | `PROFILE_STORE` | `store` |
/// | the user | `PROFILE_USER` | `user` |
/// | the URL of the weather service | `PROFILE_FORECAST_URL` | `forecast.url` |
/// | the provider of the weather service | `PROFILE_FORECAST_SERVICE` | `forecast.service` |
/// | the time limit of a response, e.g. `30s` | `PROFILE_FORECAST_TIMEOUT` | `forecast.timeout` |
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
/// The entry of an environment under `environments` takes precedence over the top level. The store at the top level
/// applies to the environment that the file names at the top level, or to production. Other environments never use it;
/// each has its own default store.
///
/// A misspelled key is an error that names the similar one. Other unknown keys are ignored, so a program can keep its
/// own settings in the same file.
public struct Configuration: Sendable {
    /// The deployment environment of a program. By default, each environment has its own store.
    public enum Environment: String, Sendable, CaseIterable {
        /// A developer's machine.
        case development
        /// A setup like production, with other data.
        case staging
        /// The deployment for the program's users.
        case production
    }

    /// The source of a setting.
    package enum Origin: Hashable, Sendable, CustomStringConvertible {
        /// The command line.
        case commandLine
        /// An environment variable, with its name.
        case variable(String)
        /// A file, with its path, and the member, e.g. `forecast.url`.
        case file(String, member: String)
        /// The default, because no source has the setting.
        case standard

        /// The origin as text for messages.
        package var description: String {
            switch self {
            case .commandLine: "command line"
            case .variable(let name): "environment variable \(name)"
            case .file(let path, let member): "\(member) in \(path)"
            case .standard: "default"
            }
        }
    }

    /// The deployment environment; the default is production.
    public let environment: Environment

    /// The location of the store; the default is an LMDB environment in the data directory.
    public let store: StorageLocation

    /// The user whose profile is used; the default is `me`.
    public let user: UserID

    /// The provider of the weather service; the default is weather.tsukumijima.net.
    package let forecastProvider: ForecastService.Provider

    /// The URL of the weather service; the default is the provider's own service.
    package let forecastURL: String

    /// The time limit of a response of the weather service; the default is 30 seconds.
    package let forecastTimeout: Duration

    /// The origins of the settings.
    let origins: [ConfigurationKey: Origin]

    /// The settings, each with its name in the file, its value as text, and its origin.
    package var settings: [(name: String, value: String, origin: Origin)] {
        ConfigurationKey.allCases.map { key in
            let value =
                switch key {
                case .environment: environment.rawValue
                case .store: store.description
                case .user: user.text
                case .forecastService: forecastProvider.rawValue
                case .forecastURL: forecastURL
                case .forecastTimeout: "\(forecastTimeout.components.seconds)s"
                }
            return (key.rawValue, value, origins[key] ?? .standard)
        }
    }

    /// The options for fetching forecasts, with the configured time limit.
    public var forecastOptions: FetchOptions {
        var options = FetchOptions()
        options.timeout = forecastTimeout
        // A response without progress is abandoned earlier, but a long time limit also extends the idle timeout.
        options.idleTimeout = max(options.idleTimeout, forecastTimeout / 3)
        return options
    }

    /// Returns the configured weather service.
    ///
    /// - Parameter coordinates: The coordinates for requests to Open-Meteo; `nil` for those of the city's prefecture
    ///   office.
    /// - Returns: The service.
    /// - Throws: `ValidationError` if a setting is invalid. `read` validates them, so its configurations never throw.
    public func forecastService(coordinates: Coordinates? = nil) throws(ValidationError) -> ForecastService {
        try ForecastService(forecastProvider, baseURL: forecastURL, coordinates: coordinates)
    }
}
