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
/// | where the weather service is | `PROFILE_FORECAST_URL` | `forecast.url` |
/// | what it speaks | `PROFILE_FORECAST_SERVICE` | `forecast.service` |
/// | how long it may take to answer, e.g. `30s` | `PROFILE_FORECAST_TIMEOUT` | `forecast.timeout` |
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
/// belongs to the environment that the file names there, or to production. Other environments never use it: the default
/// store of an environment is its own.
///
/// A misspelled key is an error that names the similar one. Other unknown keys are ignored, so a program can keep its
/// own settings in the same file.
public struct Configuration: Sendable {
    /// What a program runs for. Each environment has a store of its own by default.
    public enum Environment: String, Sendable, CaseIterable {
        /// On a developer's machine.
        case development
        /// As in production, with other data.
        case staging
        /// For those whom it is for.
        case production
    }

    /// Where a value came from.
    public enum Origin: Hashable, Sendable, CustomStringConvertible {
        /// The command line.
        case commandLine
        /// An environment variable, with its name.
        case variable(String)
        /// A file, with its path, and the member, e.g. `forecast.url`.
        case file(String, member: String)
        /// Nowhere: it is what is so unless it is said otherwise.
        case standard

        /// The origin in words.
        public var description: String {
            switch self {
            case .commandLine: "command line"
            case .variable(let name): "environment variable \(name)"
            case .file(let path, let member): "\(member) in \(path)"
            case .standard: "default"
            }
        }
    }

    /// A value and where it came from.
    public struct Setting<Value: Sendable>: Sendable {
        /// The value.
        public let value: Value
        /// Where it came from.
        public let origin: Origin
    }

    /// What the program runs for; the default is production.
    public let environment: Setting<Environment>

    /// Where everything is kept; the default is an LMDB environment in the directory of data.
    public let store: Setting<StorageLocation>

    /// Whose profile is meant; the default is `me`.
    public let user: Setting<UserID>

    /// What the weather service speaks; the default is weather.tsukumijima.net's.
    package let forecastProvider: Setting<ForecastService.Provider>

    /// Where the weather service is; the default is where it always is.
    package let forecastURL: Setting<String>

    /// How long the weather service may take to answer; the default is 30 seconds.
    package let forecastTimeout: Setting<Duration>

    /// Each setting with its name in the file, its value as text, and where it came from.
    public var settings: [(name: String, value: String, origin: Origin)] {
        ConfigurationKey.allCases.map { key in
            let (value, origin) =
                switch key {
                case .environment: (environment.value.rawValue, environment.origin)
                case .store: (store.value.description, store.origin)
                case .user: (user.value.text, user.origin)
                case .forecastService: (forecastProvider.value.rawValue, forecastProvider.origin)
                case .forecastURL: (forecastURL.value, forecastURL.origin)
                case .forecastTimeout: ("\(forecastTimeout.value.components.seconds)s", forecastTimeout.origin)
                }
            return (key.rawValue, value, origin)
        }
    }

    /// The options for fetching forecasts, with the configured time limit.
    public var forecastOptions: FetchOptions {
        var options = FetchOptions()
        options.timeout = forecastTimeout.value
        // Silence is given up earlier, but not where somebody is ready to wait for long.
        options.idleTimeout = max(options.idleTimeout, forecastTimeout.value / 3)
        return options
    }

    /// The weather service.
    ///
    /// - Parameter coordinates: the place to ask Open-Meteo for; nil: that of the city's prefecture office.
    /// - Returns: the service.
    /// - Throws: `ValidationError`, never for what was read.
    public func forecastService(coordinates: Coordinates? = nil) throws(ValidationError) -> ForecastService {
        try ForecastService(forecastProvider.value, baseURL: forecastURL.value, coordinates: coordinates)
    }
}
