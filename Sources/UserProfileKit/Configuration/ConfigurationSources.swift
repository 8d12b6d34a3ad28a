import UserProfileDomain

/// The sources from which settings are read.
///
/// In order of precedence, these are the command line, the environment variables, the file's entry for the deployment
/// environment (e.g. `staging`), and the top level of the file.
struct ConfigurationSources {
    /// The values on the command line.
    let options: [Configuration.Setting: String]
    let variables: [String: String]
    let file: ConfigurationFile?
    /// The deployment environment whose settings are read, or `nil` until the environment setting has been read.
    var environment: Configuration.Environment?
    /// The source of each setting that has been read so far.
    private(set) var origins: [Configuration.Setting: Configuration.Origin] = [:]

    /// Reads a setting and converts it to a value.
    ///
    /// - Parameters:
    ///   - key: The setting to read.
    ///   - standard: The text to use if no source has the setting.
    ///   - make: A closure that converts the text to a value.
    /// - Returns: The value.
    /// - Throws: `ConfigurationError` with the source of the setting if `make` throws.
    mutating func setting<Value>(
        _ key: Configuration.Setting, otherwise standard: String, _ make: (String) throws(ValidationError) -> Value
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
    mutating func text(_ key: Configuration.Setting) throws(ConfigurationError) -> String? {
        guard let (text, origin) = try find(key) else { return nil }
        origins[key] = origin
        return text
    }

    private func find(_ key: Configuration.Setting) throws(ConfigurationError) -> (String, Configuration.Origin)? {
        if let text = options[key] { return (text, .commandLine) }
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
        of key: Configuration.Setting, in file: ConfigurationFile
    ) throws(ConfigurationError) -> [String] {
        guard let environment else { return [key.rawValue] }
        let own = key.member(of: environment)
        if key == .store, try file.environment != environment.rawValue { return [own] }
        return [own, key.rawValue]
    }
}
