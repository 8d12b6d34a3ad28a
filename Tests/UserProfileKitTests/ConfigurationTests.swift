import DataStoreCore
import ForecastAPI
import Foundation
import Testing
import UserProfileDomain
import UserProfileKit

@Suite struct ConfigurationTests {
    /// Reads a configuration with a home directory that contains only a configuration file.
    private func read(
        _ text: String? = nil, environment: String? = nil, store: String? = nil, user: String? = nil,
        _ variables: [String: String] = [:]
    ) throws -> Configuration {
        let directory = try TemporaryDirectory()
        if let text {
            let folder = directory.url.appending(path: ".config/my-program")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: folder.appending(path: "config.json"))
        }
        return try Configuration.read(
            program: "my-program", environment: environment, store: store, user: user,
            variables: variables.merging(["HOME": directory.url.path]) { $1 })
    }

    @Test("Settings without a source have their default values")
    func defaults() throws {
        let configuration = try read()
        #expect(configuration.environment == .production)
        #expect(configuration.store.description.hasSuffix("/my-program"))
        #expect(configuration.user == .me)
        #expect(configuration.forecastURL == "https://weather.tsukumijima.net")
        #expect(configuration.settings.allSatisfy { $0.origin == "default" })
    }

    @Test("The command line precedes variables, which precede the environment's entry, which precedes the top level")
    func precedence() throws {
        let text = #"{"user": "file", "environments": {"production": {"user": "section"}}}"#
        let variables = ["PROFILE_USER": "variable"]
        #expect(try read(text, user: "option", variables).origin(of: "user") == "command line")
        #expect(try read(text, variables).origin(of: "user") == "environment variable PROFILE_USER")
        #expect(try read(text).user.text == "section")
        #expect(try read(#"{"user": "file"}"#).user.text == "file")
        #expect(try read(text, ["PROFILE_ENVIRONMENT": "staging"]).user.text == "file")
    }

    @Test("The default URL is the URL of the configured weather service")
    func serviceURL() throws {
        let configuration = try read(#"{"forecast": {"service": "open-meteo"}}"#)
        #expect(configuration.forecastURL == "https://api.open-meteo.com")
        let service = try configuration.forecastService()
        #expect(service.provider == .openMeteo && service.baseURL == configuration.forecastURL)
    }

    @Test("The timeout applies to the forecast source")
    func timeout() throws {
        #expect(try read().forecastOptions.timeout == .seconds(30))
        let configuration = try read(#"{"forecast": {"timeout": "5m"}}"#)
        #expect(configuration.forecastOptions.timeout == .seconds(300))
        #expect(configuration.forecastOptions.idleTimeout == .seconds(100))
    }

    @Test(
        "An invalid setting of the weather service is an error with its name",
        arguments: [
            ("TIMEOUT", "soon", #""soon" is not a timeout: expected a whole number"#),
            ("TIMEOUT", "0", #""0" is not a timeout: it must be at least 1s"#),
            ("TIMEOUT", "0m", #""0m" is not a timeout: it must be at least 1s"#),
            ("SERVICE", "x", #""x" is not a weather service: use one of livedoor"#),
            ("URL", "x", #""x" is not a web address: "#),
        ])
    func invalidService(_ name: String, _ value: String, _ message: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try read(nil, ["PROFILE_FORECAST_\(name)": value]) }
        #expect(error?.description.hasPrefix(message) == true && error?.description.contains(name) == true)
    }

    @Test("A file that cannot be read is an error with its path and the cause")
    func unreadableFile() throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appending(path: ".config/my-program/config.json")
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.read(program: "my-program", variables: ["HOME": directory.url.path])
        }
        #expect(error?.isOfFile == true && error?.underlying is DataStoreError)
        #expect(error?.description.contains(file.path) == true)
    }

    @Test("The store at the top level belongs to the environment that the file names, or to production")
    func topLevelStore() throws {
        let file = #"{"store": "plist:/live"}"#
        #expect(try store(file, in: "production") == "plist:/live")
        #expect(try store(file, in: "development").hasSuffix("/my-program-development"))
        #expect(try store(file, in: "staging").hasSuffix("/my-program-staging"))

        let staging = #"{"environment": "staging", "store": "plist:/staging"}"#
        #expect(try read(staging).store.description == "plist:/staging")
        #expect(try store(staging, in: "production").hasSuffix("/my-program"))
        #expect(try store(staging, in: "development").hasSuffix("/my-program-development"))
    }

    @Test("An environment uses its own store, and PROFILE_STORE and the command line take precedence over it")
    func storeOfAnEnvironment() throws {
        let file = #"{"store": "plist:/live", "environments": {"development": {"store": "plist:/local"}}}"#
        #expect(try store(file, in: "development") == "plist:/local")
        let variables = ["PROFILE_STORE": "plist:/variable"]
        #expect(try read(file, environment: "development", variables).store.description == "plist:/variable")
        let live = try read(#"{"store": "plist:/live"}"#, environment: "development", variables)
        #expect(live.origin(of: "store") == "environment variable PROFILE_STORE")
        let option = try read(file, environment: "development", store: "plist:/option", variables)
        #expect(option.store.description == "plist:/option")
    }

    private func store(_ file: String, in environment: String) throws -> String {
        try read(file, environment: environment).store.description
    }

    @Test(
        "A misspelled key is an error that names the similar one",
        arguments: [
            (#"{"stroe": "memory:"}"#, #"unknown key "stroe"; did you mean "store"?"#),
            (#"{"Store": "memory:"}"#, #"unknown key "Store"; did you mean "store"?"#),
            (#"{"users": "me"}"#, #"unknown key "users"; did you mean "user"?"#),
            (#"{"enviroments": {}}"#, #"unknown key "enviroments"; did you mean "environments"?"#),
            (#"{"forecast": {"ulr": "http://a"}}"#, #"unknown key "forecast.ulr"; did you mean "url"?"#),
            (#"{"forecast": {"time-out": "1m"}}"#, #"unknown key "forecast.time-out"; did you mean "timeout"?"#),
            (#"{"forecast.url": "http://a"}"#, #"unknown key "forecast.url"; did you mean "url" in "forecast"?"#),
            (#"{"environments": {"stagng": {}}}"#, #"unknown key "environments.stagng"; did you mean "staging"?"#),
            (
                #"{"environments": {"live": {}}}"#,
                #"unknown key "environments.live"; use one of development, production, staging"#
            ),
            (
                #"{"environments": {"staging": {"stor": "memory:"}}}"#,
                #"unknown key "environments.staging.stor"; did you mean "store"?"#
            ),
            (
                #"{"environments": {"staging": {"forecast": {"sevice": "livedoor"}}}}"#,
                #"unknown key "environments.staging.forecast.sevice"; did you mean "service"?"#
            ),
        ])
    func misspelledKey(_ file: String, _ message: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try read(file) }
        #expect(error?.isOfFile == true)
        #expect(error?.description.hasSuffix("config.json: \(message)") == true)
    }

    @Test(
        "A file that is not JSON is an error with the reason and the position",
        arguments: [
            ("{\n  \"store\": \"memory:\",\n}", "the name of a member is missing (line 3, column 1)"),
            ("{\"user\": \"é\", \"user\": \"b\"}", "the member \"user\" occurs twice (line 1, column 15)"),
            ("{\"forecast\": {\"x\": 1, \"x\": 1}}", "the member \"x\" occurs twice (line 1, column 23)"),
            ("{\"a\": [1 2]}", "a comma or ] is missing (line 1, column 10)"),
            ("{\"a\": 01}", "a comma or } is missing (line 1, column 8)"),
            ("{'store': 'memory:'}", "the name of a member is missing (line 1, column 2)"),
            ("{} {}", "nothing may follow the value (line 1, column 4)"),
            ("", "a value is missing or not valid JSON (line 1, column 1)"),
            ("[]", "not a JSON object with \"store\", \"user\" and \"environment\""),
        ])
    func syntaxError(_ file: String, _ message: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try read(file) }
        #expect(error?.isOfFile == true && error?.description.hasSuffix(message) == true, "\(error as Any)")
    }

    @Test("A byte order mark is ignored")
    func byteOrderMark() throws { #expect(try read("\u{FEFF}{\"user\": \"a\"}").user.text == "a") }

    @Test("A key that resembles no setting is ignored")
    func keyOfTheProgram() throws {
        let file = #"{"colour": [1], "window": {"stroe": 3}, "user": null, "forecast": {"city": "130010"}}"#
        #expect(try read(file).settings.allSatisfy { $0.origin == "default" })
    }

    @Test("A storage opens at the configured location")
    func openedStorage() async throws {
        let storage = try await UserProfileStorage.open(read(#"{"store": "memory:"}"#).store)
        try await storage.profiles.saveMailAddress(MailAddress("vision@example.com"))
        #expect(try await storage.profiles.mailAddress()?.text == "vision@example.com")
        await storage.close()
    }
}

extension Configuration {
    /// The origin of the setting with a name.
    fileprivate func origin(of name: String) -> String? { settings.first { $0.name == name }?.origin }
}
