/// A setting that a program reads when it starts. The raw value is the name of the setting in the configuration file.
package enum ConfigurationKey: String, CaseIterable, Sendable {
    case environment, store, user
    case forecastService = "forecast.service"
    case forecastURL = "forecast.url"
    case forecastTimeout = "forecast.timeout"

    /// The name of the environment variable for the setting, e.g. `PROFILE_FORECAST_URL`.
    package var variable: String { "PROFILE_" + String(rawValue.uppercased().map { $0 == "." ? "_" : $0 }) }

    /// Returns the path of the setting in the file's entry for an environment, e.g.
    /// `environments.staging.forecast.url`.
    func member(of environment: Configuration.Environment) -> String {
        "environments.\(environment.rawValue).\(rawValue)"
    }
}
