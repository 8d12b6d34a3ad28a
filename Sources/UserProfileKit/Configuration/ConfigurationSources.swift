import DataStoreSystem
import UserProfileDomain

/// The sources from which settings are read.
///
/// In order of precedence, these are the command line, the environment variables, the file's entry for the deployment
/// environment (e.g. `staging`), and the top level of the file.
struct ConfigurationSources {
    private let overrides: [String: String]
    private let variables: [String: String]
    private let file: ConfigurationFile?
    /// The deployment environment whose settings are read, or `nil` until the environment setting has been read.
    var environment: Configuration.Environment?
    /// The source of each setting that has been read so far.
    private(set) var origins: [ConfigurationKey: Configuration.Origin] = [:]

    /// Creates the sources and reads the configuration file.
    ///
    /// - Parameters:
    ///   - overrides: The values from the command line, by the names of the settings.
    ///   - variables: The environment variables.
    ///   - path: The path of the configuration file. The file need not exist.
    /// - Throws: `ConfigurationError` if the file is invalid or cannot be read, or if the name of an override is not
    ///   the name of a setting.
    init(overrides: [String: String], variables: [String: String], file path: String) throws {
        if let name = overrides.keys.sorted().first(where: { ConfigurationKey(rawValue: $0) == nil }) {
            throw ConfigurationError(.invalidValue, "the setting \(name.debugDescription) is unknown")
        }
        self.overrides = overrides
        self.variables = variables
        file = try ConfigurationFile(path: path)
    }

    /// Reads a setting and converts it to a value.
    ///
    /// - Parameters:
    ///   - key: The setting to read.
    ///   - standard: The text to use if no source has the setting.
    ///   - make: A closure that converts the text to a value.
    /// - Returns: The value.
    /// - Throws: `ConfigurationError` with the source of the setting if `make` throws.
    mutating func setting<Value>(
        _ key: ConfigurationKey, otherwise standard: String, _ make: (String) throws(ValidationError) -> Value
    ) throws -> Value {
        let text = try text(key) ?? standard
        do throws(ValidationError) {
            return try make(text)
        } catch {
            let origin = origins[key] ?? .standard
            throw ConfigurationError(.invalidValue, "\(error) (\(key.rawValue), \(origin))", underlying: error)
        }
    }

    /// Returns the text of a setting from the first source that contains it, and saves this source in ``origins``.
    /// Returns `nil` if no source contains the setting.
    mutating func text(_ key: ConfigurationKey) throws(ConfigurationError) -> String? {
        guard let (text, origin) = try find(key) else { return nil }
        origins[key] = origin
        return text
    }

    private func find(_ key: ConfigurationKey) throws(ConfigurationError) -> (String, Configuration.Origin)? {
        if let text = overrides[key.rawValue] { return (text, .commandLine) }
        if let text = variables[key.variable] { return (text, .variable(key.variable)) }
        guard let file else { return nil }
        for member in try members(of: key, in: file) {
            if let text = try file.text(member) { return (text, .file(file.path, member: member)) }
        }
        return nil
    }

    /// Returns the names of the file's members that may hold a setting, in order of precedence.
    ///
    /// The top-level member `store` applies only to the environment that the file names, or to production if the file
    /// names none. If it applied to every environment, all environments would share one store.
    private func members(
        of key: ConfigurationKey, in file: ConfigurationFile
    ) throws(ConfigurationError) -> [String] {
        guard let environment else { return [key.rawValue] }
        let own = key.member(of: environment)
        if key == .store, try file.environment != environment.rawValue { return [own] }
        return [own, key.rawValue]
    }
}

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

/// The directories of a program's data and configuration, according to the XDG Base Directory Specification.
///
/// As the specification requires, a variable `XDG_…` with a relative path is ignored.
struct BaseDirectories {
    let variables: [String: String]
    private let program: String

    init(program: String, _ variables: [String: String]) {
        self.program = program
        self.variables = variables
    }

    /// The path of the directory in which the program keeps its data.
    var data: String {
        #if os(macOS)
        directory("XDG_DATA_HOME", otherwise: "Library/Application Support")
        #else
        directory("XDG_DATA_HOME", otherwise: ".local/share")
        #endif
    }

    /// The path of the program's configuration file.
    var configurationFile: String { directory("XDG_CONFIG_HOME", otherwise: ".config") + "/config.json" }

    private func directory(_ name: String, otherwise path: String) -> String {
        let base = variables[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return "\(base ?? "\(variables["HOME"] ?? Account.homeDirectory ?? "")/\(path)")/\(program)"
    }
}
