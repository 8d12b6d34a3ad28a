import Foundation
import Testing

@Suite struct ConfigCommandTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    @Test("Each setting is printed with its value and origin")
    func origins() async throws {
        let file = try cli.write(
            #"""
            {"user": "everyone", "forecast": {"service": "livedoor"},
             "environments": {"staging": {"store": "memory:"}, "production": {"store": "plist:/elsewhere"}}}
            """#, to: "home/.config/profile-cli/config.json")
        let outcome = try await cli.run(
            "config", "--url", "http://127.0.0.1:8080", with: ["PROFILE_ENVIRONMENT": "staging"])
        #expect(outcome.code == 0 && outcome.error.isEmpty)
        #expect(
            outcome.lines == [
                "environment\tstaging\tenvironment variable PROFILE_ENVIRONMENT",
                "store\tmemory:\tenvironments.staging.store in \(file.path)",
                "user\teveryone\tuser in \(file.path)",
                "forecast.service\tlivedoor\tforecast.service in \(file.path)",
                "forecast.url\thttp://127.0.0.1:8080\tcommand line",
                "forecast.timeout\t600s\tenvironment variable PROFILE_FORECAST_TIMEOUT",
            ])
    }

    @Test(
        "Each environment has a store of its own",
        arguments: [
            ("development", "-development"), ("staging", "-staging"), ("production", ""),
        ])
    func environments(_ environment: String, _ suffix: String) async throws {
        try await cli.run("set-mail", "\(environment)@example.com", "--environment", environment)
        let file = cli.home.appending(path: ".local/share/profile-cli\(suffix)/data.mdb").path
        #expect(FileManager.default.fileExists(atPath: file))
        let read = try await cli.run("get-mail", with: ["PROFILE_ENVIRONMENT": environment])
        #expect(read.output == "\(environment)@example.com\n")
    }

    @Test(
        "An invalid setting is named with its file",
        arguments: [
            (#"{"environment": "test"}"#, 65, "environment"),
            (#"{"forecast": {"url": "weather"}}"#, 65, "forecast.url"),
            (#"{"forecast": {"service": 3}}"#, 78, "forecast.service"),
            (#"{"forecast": {"service": "x"}}"#, 65, #""x" is not a weather service: use one of livedoor"#),
            (#"{"forecast": {"timeout": 30}}"#, 78, "forecast.timeout"),
            (#"{"environments": {"production": {"store": "redis:"}}}"#, 65, "environments.production.store"),
            (#"{"forecast": "https://weather.example"}"#, 78, #""forecast" must be an object"#),
            (#"{"environments": {"production": []}}"#, 78, #""environments.production" must be an object"#),
        ] as [(String, Int32, String)])
    func invalidSetting(_ text: String, _ code: Int32, _ words: String) async throws {
        let file = try cli.write(text, to: "home/.config/profile-cli/config.json")
        let outcome = try await cli.run("config")
        #expect(outcome.code == code && outcome.output.isEmpty)
        #expect(outcome.error.contains(words) && outcome.error.contains(file.path), "\(outcome.error)")
    }
}
