import DataStoreCore
import DataStoreSystem
import ProfileFormats
import UserProfileDomain

/// The sources from which settings are read.
///
/// In order of precedence, these are the command line, the environment variables, the file's entry for the deployment
/// environment (e.g. `staging`), and the top level of the file.
struct ConfigurationSources {
    /// The values on the command line.
    private let options: [Configuration.Setting: String]
    private let variables: [String: String]
    /// The path of the JSON file.
    private let path: String
    /// The members of the file. None exist if the file does not exist.
    private let members: [JSONValue.Member]
    /// The deployment environment whose settings are read, or `nil` until the environment setting has been read.
    var environment: Configuration.Environment?
    /// The source of each setting that has been read so far.
    private(set) var origins: [Configuration.Setting: String] = [:]

    /// Reads and validates the configuration file.
    ///
    /// - Parameters:
    ///   - options: The values on the command line.
    ///   - variables: The environment variables.
    ///   - path: The path of the file, which need not exist.
    /// - Throws: `ConfigurationError` if the file cannot be read, is not a JSON object, has a misspelled key, or has a
    ///   setting of the wrong type. Settings that another source overrides are validated, too.
    init(options: [Configuration.Setting: String], variables: [String: String], file path: String) throws {
        (self.options, self.variables, self.path) = (options, variables, path)
        members = try Self.members(ofFile: path)
        try rejectMisspelledKeys(in: members)
        for name in Self.paths { _ = try member(name) }
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
        _ key: Configuration.Setting, otherwise standard: String, _ make: (String) throws(ValidationError) -> Value
    ) throws -> Value {
        let text = try text(key) ?? standard
        do throws(ValidationError) {
            return try make(text)
        } catch {
            let origin = origins[key] ?? "default"
            throw ConfigurationError("\(error) (\(key.rawValue), \(origin))", underlying: error)
        }
    }

    /// Returns the text of a setting from the first source that contains it, and saves this source in ``origins``.
    /// Returns `nil` if no source contains the setting.
    mutating func text(_ key: Configuration.Setting) throws(ConfigurationError) -> String? {
        guard let (text, origin) = try find(key) else { return nil }
        origins[key] = origin
        return text
    }

    private func find(_ key: Configuration.Setting) throws(ConfigurationError) -> (text: String, origin: String)? {
        if let text = options[key] { return (text, "command line") }
        if let text = variables[key.variable] { return (text, "environment variable \(key.variable)") }
        for name in try names(of: key) {
            if let text = try member(name) { return (text, "\(name) in \(path)") }
        }
        return nil
    }

    /// Returns the names of the file's members that may hold a setting, in order of precedence.
    ///
    /// The top-level member `store` applies only to the environment that the file names, or to production if the file
    /// names none. If it applied to every environment, all environments would share one store.
    private func names(of key: Configuration.Setting) throws(ConfigurationError) -> [String] {
        guard let environment else { return [key.rawValue] }
        let own = key.member(of: environment)
        let named = try member(Configuration.Setting.environment.rawValue)
        if key == .store, named ?? Configuration.Environment.production.rawValue != environment.rawValue {
            return [own]
        }
        return [own, key.rawValue]
    }
}

// MARK: The file

extension ConfigurationSources {
    /// The paths of all members that contain settings: first at the top level, and then in the entry of each
    /// environment.
    private static let paths =
        Configuration.Setting.allCases.map(\.rawValue)
        + Configuration.Environment.allCases.flatMap { environment in
            Configuration.Setting.allCases.filter { $0 != .environment }.map { $0.member(of: environment) }
        }

    /// Reads the members of a file. Throws a ``ConfigurationError`` with the position of a syntax error.
    private static func members(ofFile path: String) throws(ConfigurationError) -> [JSONValue.Member] {
        var bytes: [UInt8]
        do throws(DataStoreError) {
            guard let contents = try File.contents(of: path, limit: 1 << 20) else { return [] }
            bytes = contents
        } catch {
            throw ConfigurationError(
                "could not read the configuration file \(path)", isOfFile: true, underlying: error)
        }
        let message = "could not use the configuration file \(path): not a JSON object"
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if bytes.starts(with: mark) { bytes.removeFirst(mark.count) }
        let value: JSONValue
        do throws(ProfileFormatError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            let lines = bytes[..<error.offset].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let column = String(decoding: lines.last ?? [], as: UTF8.self).count + 1
            throw ConfigurationError(
                "\(message): \(error.reason) (line \(lines.count), column \(column))", isOfFile: true,
                underlying: error)
        }
        guard case .object(let members) = value else {
            throw ConfigurationError(
                "\(message) with \"store\", \"user\" and \"environment\"", isOfFile: true)
        }
        return members
    }

    /// Returns a string from the file.
    ///
    /// - Parameter name: The path of the member, with dots between the keys, e.g. `forecast.url`.
    /// - Returns: The string, or `nil` if the member is absent or null.
    /// - Throws: `ConfigurationError` if the member is not a string, or if a member on its path is not an object.
    private func member(_ name: String) throws(ConfigurationError) -> String? {
        var value = JSONValue.object(members)
        var seen: [Substring] = []
        for part in name.split(separator: ".") {
            switch value {
            case .object(let members):
                guard let member = members.first(where: { $0.name == part }) else { return nil }
                value = member.value
            case .null: return nil
            default: throw invalid("\"\(seen.joined(separator: "."))\" must be an object")
            }
            seen.append(part)
        }
        switch value {
        case .string(let text): return text
        case .null: return nil
        default: throw invalid("\"\(name)\" must be a string")
        }
    }

    /// Throws a ``ConfigurationError`` if an unknown key resembles a known one, or if the object `environments` has a
    /// key that is not the name of an environment.
    ///
    /// Other unknown keys are accepted, because a program may keep its own settings in the file.
    private func rejectMisspelledKeys(
        in members: [JSONValue.Member], at prefix: String = ""
    ) throws(ConfigurationError) {
        let paths = Self.paths.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        let known = Set(paths.map { String($0.prefix { $0 != "." }) }).sorted()
        for member in members.sorted(by: { $0.name < $1.name }) {
            let name = member.name
            if known.contains(name) {
                if case .object(let inner) = member.value {
                    try rejectMisspelledKeys(in: inner, at: "\(prefix)\(name).")
                }
            } else if let near = (known + paths).nearest(to: name) {
                // A key with dots is a path that the user wrote as one key, e.g. `"forecast.url"`.
                let parts = near.split(separator: ".")
                let location =
                    parts.dropLast().isEmpty ? "" : " in \"\(prefix)\(parts.dropLast().joined(separator: "."))\""
                throw invalid("unknown key \"\(prefix)\(name)\"; did you mean \"\(parts.last ?? "")\"\(location)?")
            } else if prefix == "environments." {
                throw invalid("unknown key \"\(prefix)\(name)\"; use one of \(known.joined(separator: ", "))")
            }
        }
    }

    private func invalid(_ reason: String) -> ConfigurationError {
        ConfigurationError("could not use the configuration file \(path): \(reason)", isOfFile: true)
    }
}
