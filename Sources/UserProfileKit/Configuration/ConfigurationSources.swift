import Configuration
import Foundation
import UserProfileDomain

/// Where settings are looked for, from the strongest source to the weakest.
struct ConfigurationSources {
    private struct Source {
        let snapshot: any ConfigSnapshot
        /// What stands before each key.
        var prefix: [String] = []
        let origin: @Sendable (_ key: [String], _ encodedKey: String) -> UserProfileKit.Configuration.Origin
    }

    private var sources: [Source]
    private let file: Source?
    private let path: String

    /// Reads the sources.
    ///
    /// - Parameters:
    ///   - overrides: what the command line says.
    ///   - variables: the environment variables.
    ///   - path: the file; one that is not there says nothing.
    /// - Throws: ``ConfigurationError`` where the file cannot be used.
    init(
        overrides: UserProfileKit.Configuration.Overrides, variables: [String: String], file path: String
    ) throws {
        let options = [
            "environment": overrides.environment, "store": overrides.store, "user": overrides.user,
            "forecast.service": overrides.forecastShape, "forecast.url": overrides.forecastURL,
            "forecast.timeout": nil,
        ]
        let values = options.compactMapValues { $0.map { ConfigValue(.string($0), isSecret: false) } }
        let commandLine = InMemoryProvider(
            name: "command line",
            values: Dictionary(uniqueKeysWithValues: values.map { (ConfigurationSources.key($0), $1) }))
        let environment = EnvironmentVariablesProvider(environmentVariables: variables)
        self.path = path
        file = try ConfigurationSources.snapshot(ofFile: path).map { snapshot in
            Source(snapshot: snapshot) { key, _ in .file(path, member: key.joined(separator: ".")) }
        }
        sources = [
            Source(snapshot: commandLine.snapshot()) { _, _ in .commandLine },
            Source(snapshot: environment.snapshot(), prefix: ["profile"]) { _, encoded in .variable(encoded) },
        ]
        if let file { sources.append(file) }
        // A file that is wrong is wrong also where something stronger hides it.
        for environment in UserProfileKit.Configuration.Environment.allCases {
            let named = of(environment)
            for name in options.keys { for source in named.sources { _ = try text(name, in: source) } }
        }
    }

    /// The same sources, with what the file says of an environment before what it says of all.
    func of(_ environment: UserProfileKit.Configuration.Environment) -> ConfigurationSources {
        guard var section = file else { return self }
        section.prefix = ["environments", environment.rawValue]
        var named = self
        named.sources.insert(section, at: sources.count - 1)
        return named
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
    ) throws -> UserProfileKit.Configuration.Setting<Value> {
        let (text, origin) = try text(name) ?? (standard, .standard)
        do throws(ValidationError) {
            return UserProfileKit.Configuration.Setting(value: try make(text), origin: origin)
        } catch {
            throw ConfigurationError(.invalidValue, "\(error) (\(name), \(origin))", underlying: error)
        }
    }

    /// The text of a setting and where it came from; nil where no source has it.
    func text(_ name: String) throws -> (String, UserProfileKit.Configuration.Origin)? {
        for source in sources {
            if let found = try text(name, in: source) { return found }
        }
        return nil
    }

    private func text(
        _ name: String, in source: Source
    ) throws(ConfigurationError) -> (String, UserProfileKit.Configuration.Origin)? {
        let components = source.prefix + name.split(separator: ".").map(String.init)
        do {
            let found = try source.snapshot.value(forKey: AbsoluteConfigKey(components), type: .string)
            guard case .string(let text)? = found.value?.content else { return nil }
            return (text, source.origin(components, found.encodedKey))
        } catch {
            let member = components.joined(separator: ".")
            throw ConfigurationError(
                .invalidFile, "\(path) cannot be used: \"\(member)\" must be a text", underlying: error)
        }
    }

    private static func key(_ name: String) -> AbsoluteConfigKey {
        AbsoluteConfigKey(name.split(separator: ".").map(String.init))
    }

    private static func snapshot(ofFile path: String) throws -> (any ConfigSnapshot)? {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch let error as CocoaError where [.fileReadNoSuchFile, .fileNoSuchFile].contains(error.code) {
            return nil
        } catch {
            throw ConfigurationError(.unreadableFile, "\(path) cannot be read", underlying: error)
        }
        do {
            return try JSONSnapshot(data: bytes.bytes, providerName: path, parsingOptions: .default)
        } catch {
            throw ConfigurationError(
                .invalidFile,
                "\(path) cannot be used: it must be a JSON object, in it \"store\", \"user\" and \"environment\" as texts",
                underlying: error)
        }
    }
}
