import UserProfileDomain

/// The sources of settings. Their descending precedence is: the command line, environment variables, the environment's
/// entry in the file, and the top level of the file.
struct ConfigurationSources {
    private let overrides: [String: String]
    private let variables: [String: String]
    private let file: ConfigurationFile?
    /// The environment whose settings are read; `nil` until it is known.
    var environment: Configuration.Environment?
    /// The origins of the settings that were read.
    private(set) var origins: [ConfigurationKey: Configuration.Origin] = [:]

    /// Reads the sources.
    ///
    /// - Parameters:
    ///   - overrides: The values on the command line, by the names of their settings.
    ///   - variables: The environment variables.
    ///   - path: The path of the file, which need not exist.
    /// - Throws: `ConfigurationError` if the file cannot be used, or if an override is not a setting.
    init(overrides: [String: String], variables: [String: String], file path: String) throws {
        if let name = overrides.keys.sorted().first(where: { ConfigurationKey(rawValue: $0) == nil }) {
            throw ConfigurationError(.invalidValue, "the setting \(name.debugDescription) is unknown")
        }
        self.overrides = overrides
        self.variables = variables
        file = try ConfigurationFile(path: path)
    }

    /// Returns a setting.
    ///
    /// - Parameters:
    ///   - key: The setting.
    ///   - standard: The text to use if no source has the setting.
    ///   - make: Converts the text to a value.
    /// - Returns: The value.
    /// - Throws: `ConfigurationError` with the origin of the value if `make` rejects it.
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

    /// Returns the text of a setting and records its origin. Returns `nil` if no source has the setting.
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

    /// Returns the members of the file that may hold a setting.
    ///
    /// The store at the top level belongs to the environment that the file names there. Any other environment that used
    /// it would mix its data with that environment's.
    private func members(
        of key: ConfigurationKey, in file: ConfigurationFile
    ) throws(ConfigurationError) -> [String] {
        guard let environment else { return [key.rawValue] }
        let own = key.member(of: environment)
        if key == .store, try file.environment != environment.rawValue { return [own] }
        return [own, key.rawValue]
    }
}
