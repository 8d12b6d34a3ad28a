import UserProfileDomain

/// Where settings are looked for, from the strongest source to the weakest: the command line, environment variables, what
/// the file says of an environment, what it says of all.
struct ConfigurationSources {
    private let overrides: [String: String]
    private let variables: [String: String]
    private let file: ConfigurationFile?
    /// What stands before the name of a setting in the file.
    private var prefixes = [""]

    /// Reads the sources.
    ///
    /// - Parameters:
    ///   - overrides: The values of options on the command line, by the names of their settings.
    ///   - variables: the environment variables.
    ///   - path: the file; one that is not there says nothing.
    /// - Throws: ``ConfigurationError`` where the file cannot be used.
    init(overrides: [String: String], variables: [String: String], file path: String) throws {
        if let name = overrides.keys.sorted().first(where: { !ConfigurationSources.names.contains($0) }) {
            throw ConfigurationError(.invalidValue, "there is no setting \(name.debugDescription)")
        }
        self.overrides = overrides
        self.variables = variables
        file = try ConfigurationFile(path: path)
        guard let file else { return }
        // A file that is wrong is wrong also where something stronger hides it.
        for environment in Configuration.Environment.allCases {
            for prefix in ConfigurationSources.prefixes(environment) {
                for name in ConfigurationSources.names { _ = try file.text(prefix + name) }
            }
        }
    }

    /// The same sources, with what the file says of an environment before what it says of all.
    func of(_ environment: Configuration.Environment) -> ConfigurationSources {
        var named = self
        named.prefixes = ConfigurationSources.prefixes(environment)
        return named
    }

    private static let names = [
        "environment", "store", "user", "forecast.service", "forecast.url", "forecast.timeout",
    ]

    private static func prefixes(_ environment: Configuration.Environment) -> [String] {
        ["environments.\(environment.rawValue).", ""]
    }

    /// A setting.
    ///
    /// - Parameters:
    ///   - name: its name in the file.
    ///   - standard: what it is where no source has it.
    ///   - make: makes the value of a text.
    /// - Returns: the value and where it came from.
    /// - Throws: ``ConfigurationError`` that says where the value is that is refused.
    func setting<Value>(
        _ name: String, otherwise standard: String, _ make: (String) throws(ValidationError) -> Value
    ) throws -> Configuration.Setting<Value> {
        let (text, origin) = try text(name) ?? (standard, .standard)
        do throws(ValidationError) {
            return Configuration.Setting(value: try make(text), origin: origin)
        } catch {
            throw ConfigurationError(.invalidValue, "\(error) (\(name), \(origin))", underlying: error)
        }
    }

    /// The text of a setting and where it came from; nil where no source has it.
    func text(_ name: String) throws(ConfigurationError) -> (String, Configuration.Origin)? {
        if let text = overrides[name] { return (text, .commandLine) }
        let variable = "PROFILE_" + String(name.uppercased().map { $0 == "." ? "_" : $0 })
        if let text = variables[variable] { return (text, .variable(variable)) }
        guard let file else { return nil }
        for prefix in prefixes {
            if let text = try file.text(prefix + name) { return (text, .file(file.path, member: prefix + name)) }
        }
        return nil
    }
}
