import ForecastAPI
import Foundation
import Testing
import UserProfileDomain
import UserProfileKit

@Suite struct ConfigurationTests {
    /// Reads a configuration with a home directory that has only a file.
    private func read(
        _ text: String? = nil, _ overrides: [String: String] = [:], _ variables: [String: String] = [:]
    ) throws -> Configuration {
        let directory = try TemporaryDirectory()
        if let text {
            let place = directory.url.appending(path: ".config/my-program")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: place.appending(path: "config.json"))
        }
        return try Configuration.read(
            program: "my-program", overrides: overrides,
            variables: variables.merging(["HOME": directory.url.path]) { $1 })
    }

    @Test func withoutAnythingThereAreDefaults() throws {
        let configuration = try read()
        #expect(configuration.environment.value == .production)
        #expect(configuration.store.value.description.hasSuffix("/my-program"))
        #expect(configuration.user.value == .me)
        #expect(configuration.forecastURL.value == "https://weather.tsukumijima.net")
        #expect(configuration.settings.allSatisfy { $0.origin == .standard })
    }

    @Test func theStrongestSourceWins() throws {
        let text = #"{"user": "file", "environments": {"production": {"user": "section"}}}"#
        let overrides = ["user": "option"]
        let variables = ["PROFILE_USER": "variable"]
        #expect(try read(text, overrides, variables).user.origin == .commandLine)
        #expect(try read(text, .init(), variables).user.origin == .variable("PROFILE_USER"))
        #expect(try read(text).user.value.text == "section")
        #expect(try read(#"{"user": "file"}"#).user.value.text == "file")
        #expect(try read(text, .init(), ["PROFILE_ENVIRONMENT": "staging"]).user.value.text == "file")
    }

    @Test func theServiceDecidesWhereItIs() throws {
        let configuration = try read(#"{"forecast": {"service": "open-meteo"}}"#)
        #expect(configuration.forecastURL.value == "https://api.open-meteo.com")
        let service = try configuration.forecastService()
        #expect(service.shape == .openMeteo && service.baseURL == configuration.forecastURL.value)
    }

    @Test func theTimeoutIsForTheSource() throws {
        #expect(try read().forecastOptions.timeout == .seconds(30))
        let configuration = try read(#"{"forecast": {"timeout": "5m"}}"#)
        #expect(configuration.forecastOptions.timeout == .seconds(300))
        #expect(configuration.forecastOptions.idleTimeout == .seconds(100))
        #expect(throws: ConfigurationError.self) { try read(#"{"forecast": {"timeout": "soon"}}"#) }
    }

    @Test func aFileThatCannotBeReadIsNamedWithItsCause() throws {
        let directory = try TemporaryDirectory()
        let place = directory.url.appending(path: ".config/my-program/config.json")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.read(program: "my-program", variables: ["HOME": directory.url.path])
        }
        #expect(error?.code == .unreadableFile && error?.underlying != nil)
        #expect(error?.description.contains(place.path) == true)
    }

    @Test func aStorageIsOpenedAsConfigured() async throws {
        let storage = try await UserProfileStorage.open(read(#"{"store": "memory:"}"#).store.value)
        try await storage.users.saveMailAddress(MailAddress("vision@example.com"))
        #expect(try await storage.users.mailAddress()?.text == "vision@example.com")
        await storage.close()
    }
}
