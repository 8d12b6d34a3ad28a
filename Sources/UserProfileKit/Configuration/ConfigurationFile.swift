import DataStoreSystem
import ProfileFormats

/// The JSON file from which a program reads its ``Configuration``.
struct ConfigurationFile {
    /// The path of the file.
    let path: String
    private let members: [JSONValue.Member]

    /// The paths of all members that contain settings: first at the top level, and then in the entry of each
    /// environment.
    private static let paths =
        Configuration.Setting.allCases.map(\.rawValue)
        + Configuration.Environment.allCases.flatMap { environment in
            Configuration.Setting.allCases.filter { $0 != .environment }.map { $0.member(of: environment) }
        }

    /// Reads and validates a configuration file. Returns `nil` if the file does not exist.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: `ConfigurationError` if the file cannot be read, is not a JSON object, has a misspelled key, or has a
    ///   setting of the wrong type. Settings that another source overrides are validated, too.
    init?(path: String) throws {
        let bytes: [UInt8]
        do {
            guard let contents = try File.contents(of: path, limit: 1 << 20) else { return nil }
            bytes = contents
        } catch {
            throw ConfigurationError(
                .unreadableFile, "could not read the configuration file \(path)", underlying: error)
        }
        self.path = path
        members = try Self.members(of: bytes, path)
        try rejectMisspelledKeys(in: members)
        for name in Self.paths { _ = try text(name) }
    }

    /// Parses the contents of a file. Throws a ``ConfigurationError`` with the position of a syntax error.
    private static func members(of bytes: [UInt8], _ path: String) throws(ConfigurationError) -> [JSONValue.Member] {
        let message = "could not use the configuration file \(path): not a JSON object"
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        let value: JSONValue
        do throws(TextProblem) {
            value = try JSONValue(parsing: bytes)
        } catch {
            let lines = bytes[..<error.offset].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let column = String(decoding: lines.last ?? [], as: UTF8.self).count + 1
            throw ConfigurationError(
                .invalidFile, "\(message): \(error.reason) (line \(lines.count), column \(column))", underlying: error)
        }
        guard case .object(let members) = value else {
            throw ConfigurationError(.invalidFile, "\(message) with \"store\", \"user\" and \"environment\"")
        }
        return members
    }

    /// The environment that the file names at its top level, or `production` if the file names none.
    var environment: String {
        get throws(ConfigurationError) {
            try text(Configuration.Setting.environment.rawValue) ?? Configuration.Environment.production.rawValue
        }
    }

    /// Returns a string from the file.
    ///
    /// - Parameter name: The path of the member, with dots between the keys, e.g. `forecast.url`.
    /// - Returns: The string, or `nil` if the member is absent or null.
    /// - Throws: `ConfigurationError` if the member is not a string, or if a member on its path is not an object.
    func text(_ name: String) throws(ConfigurationError) -> String? {
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
        ConfigurationError(.invalidFile, "could not use the configuration file \(path): \(reason)")
    }
}

/// An error in the configuration of a program.
package struct ConfigurationError: Error, CustomStringConvertible {
    /// The kind of a configuration error.
    package enum Code: Sendable {
        /// The configuration file exists but cannot be read.
        case unreadableFile
        /// The configuration file is not a JSON object, or one of its members has the wrong type or a misspelled key.
        case invalidFile
        /// The value of a setting is invalid.
        case invalidValue
    }

    /// The kind of the error.
    package let code: Code

    /// One sentence that states the value, its origin and the remedy.
    package let description: String

    /// The error that caused this one, or `nil` if there is no other cause.
    package let underlying: (any Error)?

    init(_ code: Code, _ description: String, underlying: (any Error)? = nil) {
        self.code = code
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
                var best = Swift.min(
                    rows[row][column + 1] + 1, next[column] + 1, rows[row][column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = Swift.min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
