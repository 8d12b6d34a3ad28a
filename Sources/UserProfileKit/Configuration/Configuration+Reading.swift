import DataStoreSystem

extension Configuration {
    /// Reads the configuration of a program from the command line, environment variables and the configuration file.
    ///
    /// - Parameters:
    ///   - program: The name of the program. The data and configuration directories have this name, too.
    ///   - environment: The environment on the command line, or `nil` if it is not given.
    ///   - store: The location of the store on the command line, or `nil` if it is not given.
    ///   - user: The id of the user on the command line, or `nil` if it is not given. It may be an id that only an
    ///     existing user can have, as in `UserID(stored:)`.
    ///   - forecastService: The provider of the weather service on the command line, or `nil` if it is not given.
    ///   - forecastURL: The URL of the weather service on the command line, or `nil` if it is not given.
    ///   - variables: The environment variables, or `nil` to use the variables of the process. Empty variables are
    ///     ignored.
    ///   - kinds: The kinds of stores that the program supports. The default store is of the kind `lmdb`. If `kinds`
    ///     does not contain this kind, reading the configuration fails unless a source sets `store`.
    /// - Returns: The configuration.
    /// - Throws: `ValidationError` if the user id on the command line is invalid. An error that names the file if the
    ///   configuration file is invalid or cannot be read. An error that names the setting or variable if any other
    ///   value is invalid, or if `HOME` is a relative path. An error if the stack limit of the process is less than
    ///   1 MiB.
    public static func read(
        program: String, environment: String? = nil, store: String? = nil, user: String? = nil,
        forecastService: String? = nil, forecastURL: String? = nil, variables: [String: String]? = nil,
        kinds: [any StoreKind] = .local
    ) throws -> Configuration {
        try Thread.checkStackLimit()
        let options: [Setting: String?] = [
            .environment: environment, .store: store, .user: user, .forecastService: forecastService,
            .forecastURL: forecastURL,
        ]
        let variables = try checked(variables)
        #if os(macOS)
        let dataPath = "Library/Application Support"
        #else
        let dataPath = ".local/share"
        #endif
        let dataDirectory = "\(directory("XDG_DATA_HOME", in: variables, otherwise: dataPath))/\(program)"
        let fileDirectory = "\(directory("XDG_CONFIG_HOME", in: variables, otherwise: ".config"))/\(program)"
        var sources = try ConfigurationSources(
            options: options.compactMapValues(\.self), variables: variables,
            file: "\(fileDirectory)/config.json")

        let environment: Environment = try sources.choice(.environment, otherwise: .production, "an environment")
        sources.environment = environment
        let suffix = environment == .production ? "" : "-\(environment)"
        let store = try sources.setting(.store, otherwise: "lmdb:\(dataDirectory)\(suffix)") {
            text throws(ValidationError) in
            try StorageLocation(text, kinds: kinds)
        }
        let provider: ForecastService.Provider = try sources.choice(
            .forecastService, otherwise: .tsukumijima, "a weather service")
        let url = try sources.setting(.forecastURL, otherwise: provider.baseURL) { text throws(ValidationError) in
            // The default URL of a provider is known to be valid. Validating it would take longer than reading all
            // other settings.
            text == provider.baseURL ? text : try ForecastService(provider, baseURL: text).baseURL
        }
        let standard = "\(FetchOptions().timeout.components.seconds)s"
        let timeout = try sources.setting(.forecastTimeout, otherwise: standard) { text throws(ValidationError) in
            let timeout = try Duration(age: text, .timeout)
            guard timeout > .zero else { throw ValidationError(.timeout, given: text, rule: "it must be at least 1s") }
            return timeout
        }
        // An invalid id on the command line is invalid input and not an invalid configuration. It may be an id that
        // only an existing user can have.
        let user =
            if user != nil, let text = sources.text(.user) {
                try UserID(stored: text)
            } else {
                try sources.setting(.user, otherwise: UserID.me.text) { text throws(ValidationError) in try UserID(text)
                }
            }
        return Configuration(
            environment: environment, store: store, user: user, keyFile: sources.text(.keyFile),
            forecastProvider: provider, forecastURL: url, forecastTimeout: timeout, origins: sources.origins)
    }

    /// Returns the non-empty environment variables that a configuration uses, by default those of the process.
    ///
    /// Throws a ``ConfigurationError`` if a value is not valid UTF-8 or contains a control character, e.g. the carriage
    /// return of a file with Windows line endings, or if `HOME` is a relative path. The store would otherwise depend on
    /// the working directory.
    private static func checked(_ variables: [String: String]?) throws -> [String: String] {
        var used: [String: String] = [:]
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] + Setting.allCases.map(\.variable) {
            guard let value = try variables.map({ $0[name] }) ?? variable(name), !value.isEmpty else { continue }
            guard !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                throw ConfigurationError(
                    "the environment variable \(name) contains a control character: \(value.quoted)")
            }
            used[name] = value
        }
        if let home = used["HOME"], !home.hasPrefix("/") {
            throw ConfigurationError(
                "the environment variable HOME is not an absolute path: \(home.escapingControlCharacters); correct it")
        }
        return used
    }

    /// Returns a directory of the XDG Base Directory Specification. As the specification requires, a variable `XDG_…`
    /// with a relative path is ignored.
    private static func directory(_ name: String, in variables: [String: String], otherwise path: String) -> String {
        if let base = variables[name], base.hasPrefix("/") { return base }
        return "\(variables["HOME"] ?? Path.homeDirectory ?? "")/\(path)"
    }

    /// Returns the value of an environment variable of the process, or `nil` if it is not set.
    private static func variable(_ name: String) throws(ConfigurationError) -> String? {
        // The value is copied at once, because another thread may change the variable later.
        guard let bytes = unsafe getenv(name) else { return nil }
        guard let value = unsafe String(validatingCString: bytes) else {
            throw ConfigurationError("the environment variable \(name) is not valid UTF-8")
        }
        return value
    }
}

extension ValidationError.Subject {
    fileprivate static let timeout = Self("a timeout")
}
