import DataStoreFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The JSON file with a program's settings.
struct ConfigurationFile {
    /// A value of the file. Values of other types are not stored.
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

    /// The paths of all settings, beginning with the top level.
    private static let paths =
        ConfigurationKey.allCases.map(\.rawValue)
        + Configuration.Environment.allCases.flatMap { environment in
            ConfigurationKey.allCases.filter { $0 != .environment }.map { $0.member(of: environment) }
        }

    /// Reads and validates a file. The initializer returns `nil` if the file does not exist.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: `ConfigurationError` if the file cannot be read, is not a JSON object, has a misspelled key, or has
    ///   a setting of the wrong type. Settings that a source with higher precedence overrides are validated, too.
    init?(path: String) throws {
        let bytes: [UInt8]
        do {
            guard let contents = try File.contents(of: path, limit: 1 << 20) else { return nil }
            bytes = contents
        } catch {
            throw ConfigurationError(.unreadableFile, "\(path) cannot be read", underlying: error)
        }
        self.path = path
        let message =
            "\(path) cannot be used: it must be a JSON object, in it \"store\", \"user\" and \"environment\" as texts"
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

    /// The environment that the file names at its top level; the default is production.
    var environment: String {
        get throws(ConfigurationError) {
            try text(ConfigurationKey.environment.rawValue) ?? Configuration.Environment.production.rawValue
        }
    }

    /// Returns a string of the file.
    ///
    /// - Parameter name: The path of the member, with dots between the keys.
    /// - Returns: The string, or `nil` if the member is absent or null.
    /// - Throws: `ConfigurationError` if the member is not a string, or a member on its path is not an object.
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
        case .object, .other: throw invalid("\"\(name)\" must be a text")
        }
    }

    /// Throws an error if an unknown key resembles a known one.
    ///
    /// Other unknown keys are accepted, because the file may also hold settings that only the program knows.
    /// Environments are a closed set, so an unknown one is always an error.
    private func rejectMisspelledKeys(
        in members: [String: Member], at prefix: String = ""
    ) throws(ConfigurationError) {
        let paths = Self.paths.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        let known = Set(paths.map { String($0.prefix { $0 != "." }) }).sorted()
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            if known.contains(name) {
                if case .object(let inner) = member { try rejectMisspelledKeys(in: inner, at: "\(prefix)\(name).") }
            } else if let near = Spelling.nearest(to: name, among: known + paths) {
                // A key with dots is a path that was written as one key.
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
        ConfigurationError(.invalidFile, "\(path) cannot be used: \(reason)")
    }
}
