import Foundation
import UserProfileDomain
import UserProfileKit

/// Where the store is and whose profile is meant: options over environment variables over `config.json` over defaults.
struct Settings {
    let location: StorageLocation
    let user: UserID

    init(_ options: StoreOptions, environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        func variable(_ name: String) throws -> String? {
            guard let value = environment[name], !value.isEmpty else { return nil }
            guard !value.unicodeScalars.contains("\u{FFFD}") else {
                throw UsageError(message: "the environment variable \(name) is not valid UTF-8")
            }
            return value
        }
        // The XDG base directory specification: a path that is not absolute is to be ignored.
        func directory(_ variableName: String, otherwise path: String) throws -> String {
            if let path = try variable(variableName), path.hasPrefix("/") { return path }
            return "\(try variable("HOME") ?? NSHomeDirectory())/\(path)"
        }
        #if os(macOS)
        let data = try directory("XDG_DATA_HOME", otherwise: "Library/Application Support")
        #else
        let data = try directory("XDG_DATA_HOME", otherwise: ".local/share")
        #endif
        let configuration = try directory("XDG_CONFIG_HOME", otherwise: ".config") + "/profile-cli/config.json"
        let file = try ConfigurationFile(path: configuration)
        let store = try options.store ?? variable("PROFILE_STORE") ?? file.store
        do {
            location =
                try store.map { text throws(ValidationError) in try StorageLocation(text) }
                ?? .lmdb("\(data)/profile-cli")
        } catch {
            throw UsageError(message: "\(error)")
        }
        user =
            try (options.user ?? variable("PROFILE_USER") ?? file.user)
            .map { text throws(ValidationError) in try UserID(text) } ?? .me
    }
}

/// `config.json`: what is the default for this user of the program.
private struct ConfigurationFile: Decodable {
    let store: String?
    let user: String?

    /// Reads the file; where there is none, it says nothing.
    init(path: String) throws {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch {
            let problem = FileProblem(error)
            guard problem.isMissing else {
                throw UnreadableFile(
                    message: "\(path) cannot be read: \(problem.words)", isForbidden: problem.isForbidden)
            }
            (store, user) = (nil, nil)
            return
        }
        do {
            self = try JSONDecoder().decode(Self.self, from: bytes)
        } catch {
            throw UsageError(
                message: "\(path) cannot be used: it must be a JSON object, in it \"store\" and \"user\" as texts")
        }
    }
}
