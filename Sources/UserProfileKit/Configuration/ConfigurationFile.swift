import DataStoreFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The JSON file from which a program reads its ``Configuration``.
struct ConfigurationFile {
    /// A value in the file. Numbers, Booleans and arrays are all `other`, because no setting uses them.
    private enum Member: Decodable {
        case text(String), object([String: Member]), null, other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
                return
            }
            do {
                self = .text(try container.decode(String.self))
            } catch DecodingError.typeMismatch {
                do {
                    self = .object(try container.decode([String: Member].self))
                } catch DecodingError.typeMismatch {
                    self = .other
                }
            }
        }
    }

    /// The path of the file.
    let path: String
    private let members: [String: Member]

    /// The paths of all members that contain settings: first at the top level, and then in the entry of each
    /// environment.
    private static let paths =
        ConfigurationKey.allCases.map(\.rawValue)
        + Configuration.Environment.allCases.flatMap { environment in
            ConfigurationKey.allCases.filter { $0 != .environment }.map { $0.member(of: environment) }
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
        let message =
            "could not use the configuration file \(path): "
            + "not a JSON object with \"store\", \"user\" and \"environment\""
        let contents: Member
        do {
            contents = try JSONDecoder().decode(Member.self, from: Data(bytes))
        } catch {
            throw ConfigurationError(.invalidFile, message, underlying: error)
        }
        guard case .object(let members) = contents else { throw ConfigurationError(.invalidFile, message) }
        self.members = members
        try rejectMisspelledKeys(in: members)
        for name in Self.paths { _ = try text(name) }
    }

    /// The environment that the file names at its top level, or `production` if the file names none.
    var environment: String {
        get throws(ConfigurationError) {
            try text(ConfigurationKey.environment.rawValue) ?? Configuration.Environment.production.rawValue
        }
    }

    /// Returns a string from the file.
    ///
    /// - Parameter name: The path of the member, with dots between the keys, e.g. `forecast.url`.
    /// - Returns: The string, or `nil` if the member is absent or null.
    /// - Throws: `ConfigurationError` if the member is not a string, or if a member on its path is not an object.
    func text(_ name: String) throws(ConfigurationError) -> String? {
        var member = Member.object(members)
        var seen: [Substring] = []
        for part in name.split(separator: ".") {
            switch member {
            case .object(let inner):
                guard let next = inner[String(part)] else { return nil }
                member = next
            case .null: return nil
            case .text, .other: throw invalid("\"\(seen.joined(separator: "."))\" must be an object")
            }
            seen.append(part)
        }
        switch member {
        case .text(let text): return text
        case .null: return nil
        case .object, .other: throw invalid("\"\(name)\" must be a string")
        }
    }

    /// Throws a ``ConfigurationError`` if an unknown key resembles a known one, or if the object `environments` has a
    /// key that is not the name of an environment.
    ///
    /// Other unknown keys are accepted, because a program may keep its own settings in the file.
    private func rejectMisspelledKeys(
        in members: [String: Member], at prefix: String = ""
    ) throws(ConfigurationError) {
        let paths = Self.paths.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        let known = Set(paths.map { String($0.prefix { $0 != "." }) }).sorted()
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            if known.contains(name) {
                if case .object(let inner) = member { try rejectMisspelledKeys(in: inner, at: "\(prefix)\(name).") }
            } else if let near = Spelling.nearest(to: name, among: known + paths) {
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
