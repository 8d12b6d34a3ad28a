import DataStoreSystem

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
    /// The settings in the file by their paths, e.g. `forecast.url`. None exist if the file does not exist.
    private var values: [String: String] = [:]
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
        try read(Self.members(ofFile: path))
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
        let text = text(key) ?? standard
        do throws(ValidationError) {
            return try make(text)
        } catch {
            let origin = origins[key] ?? "default"
            throw ConfigurationError("\(error) (\(key.rawValue), \(origin))", underlying: error)
        }
    }

    /// Reads a setting that is one of some choices. `subject` is its name in error messages.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: Configuration.Setting, otherwise standard: Choice, _ subject: String
    ) throws -> Choice {
        try setting(key, otherwise: standard.rawValue) { text throws(ValidationError) in
            if let choice = Choice(rawValue: text) { return choice }
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(.init(subject), given: text, rule: "use one of \(names)")
        }
    }

    /// Returns the text of a setting from the first source that contains it, and saves this source in ``origins``.
    /// Returns `nil` if no source contains the setting.
    mutating func text(_ key: Configuration.Setting) -> String? {
        let sources =
            [(options[key], "command line"), (variables[key.variable], "environment variable \(key.variable)")]
            + names(of: key).map { (values[$0], "\($0) in \(path)") }
        for case (let text?, let origin) in sources {
            origins[key] = origin
            return text
        }
        return nil
    }

    /// Returns the names of the file's members that may hold a setting, in order of precedence.
    ///
    /// The top-level member `store` applies only to the environment that the file names, or to production if the file
    /// names none. If it applied to every environment, all environments would share one store.
    private func names(of key: Configuration.Setting) -> [String] {
        guard let environment else { return [key.rawValue] }
        let own = key.member(of: environment)
        let named = values[Configuration.Setting.environment.rawValue]
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
        let bytes: [UInt8]
        do throws(DataStoreError) {
            guard let contents = try File.contents(of: path, limit: 1 << 20) else { return [] }
            bytes = contents
        } catch {
            throw ConfigurationError("could not read the configuration file \(path)", isOfFile: true, underlying: error)
        }
        let message = "could not use the configuration file \(path): not a JSON object"
        let value: JSONValue
        do throws(ProfileFormatError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            let lines = bytes[..<error.offset].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            // Editors do not count a byte order mark.
            let column = String(decoding: lines.last ?? [], as: UTF8.self).drop { $0 == "\u{FEFF}" }.count + 1
            throw ConfigurationError(
                "\(message): \(error.reason) (line \(lines.count), column \(column))", isOfFile: true,
                underlying: error)
        }
        guard case .object(let members) = value else {
            throw ConfigurationError("\(message) with \"store\", \"user\" and \"environment\"", isOfFile: true)
        }
        return members
    }

    /// Reads the settings in an object of the file, and in the objects within it. A member that is null is absent.
    ///
    /// Unknown keys are accepted, because a program may keep its own settings in the file.
    ///
    /// - Throws: `ConfigurationError` if a setting is not a string, if a member on its path is not an object, if an
    ///   unknown key resembles a known one, or if the object `environments` has a key that is not the name of an
    ///   environment.
    private mutating func read(_ members: [JSONValue.Member], at prefix: String = "") throws(ConfigurationError) {
        let paths = Self.paths.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        let known = Set(paths.map { String($0.prefix { $0 != "." }) }).sorted()
        for (name, value) in members.sorted(by: { $0.name < $1.name }) {
            let path = prefix + name
            if known.contains(name) {
                switch (value, paths.contains(name)) {
                case (.string(let text), true): values[path] = text
                case (.object(let inner), false): try read(inner, at: "\(path).")
                case (.null, _): break
                case (_, let isSetting): throw invalid("\"\(path)\" must be \(isSetting ? "a string" : "an object")")
                }
            } else if let near = (known + paths).nearest(to: name) {
                // A key with dots is a path that the user wrote as one key, e.g. `"forecast.url"`.
                let parts = near.split(separator: ".")
                let location =
                    parts.dropLast().isEmpty ? "" : " in \"\(prefix)\(parts.dropLast().joined(separator: "."))\""
                throw invalid("unknown key \"\(path)\"; did you mean \"\(parts.last ?? "")\"\(location)?")
            } else if prefix == "environments." {
                throw invalid("unknown key \"\(path)\"; use one of \(known.joined(separator: ", "))")
            }
        }
    }

    private func invalid(_ reason: String) -> ConfigurationError {
        ConfigurationError("could not use the configuration file \(path): \(reason)", isOfFile: true)
    }
}

/// An error in the configuration of a program.
package struct ConfigurationError: Error, CustomStringConvertible {
    /// Whether the configuration file cannot be read or is invalid. Otherwise, the value of a setting is.
    package let isOfFile: Bool

    /// One sentence that states the value, its origin and the remedy.
    package let description: String

    /// The error that caused this one, or `nil` if there is no other cause. It is a `DataStoreError` if the file cannot
    /// be read.
    package let underlying: (any Error)?

    init(_ description: String, isOfFile: Bool = false, underlying: (any Error)? = nil) {
        self.isOfFile = isOfFile
        self.description = description
        self.underlying = underlying
    }
}

extension [String] {
    /// Returns the known word that is most similar to a word, which may be misspelled. Returns `nil` if none is similar
    /// enough to be a typing error.
    package func nearest(to word: String) -> String? {
        map { ($0, $0.lowercased().distance(to: word.lowercased())) }
            .filter { $0.1 <= Swift.max(1, $0.0.count / 3) }
            .min { $0.1 < $1.1 }?.0
    }
}

extension String {
    /// Returns the optimal string alignment distance to another word: the least number of letters to insert, delete,
    /// change or swap with a neighbor in order to turn one word into the other.
    fileprivate func distance(to other: String) -> Int {
        let (left, right) = (Array(self), Array(other))
        var rows = [Array(0...right.count)]
        for (row, letter) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                let isSwapped = row > 0 && column > 0 && letter == right[column - 1] && left[row - 1] == other
                next.append(
                    Swift.min(
                        rows[row][column + 1] + 1, next[column] + 1, rows[row][column] + (letter == other ? 0 : 1),
                        isSwapped ? rows[row - 1][column - 1] + 1 : .max))
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
