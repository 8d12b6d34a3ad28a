import ArgumentParser
import DataStoreCore
import UserProfileKit

/// The command `config`, which prints the name, the value and the origin of each setting of the configuration.
struct ShowConfiguration: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show each setting, its value and its origin.",
        discussion: """
            Settings come from the command line, from environment variables, from config.json, and from the defaults, \
            in this order. In config.json, the entry of an environment under "environments" overrides the top level. \
            "store" at the top level applies only to the "environment" that the file names, or to production if it \
            names none.

            EXAMPLE
              profile-cli config --environment staging
            """)

    @OptionGroup(title: "Forecast Options") var forecast: ForecastOptions
    @OptionGroup(title: "Common Options") var options: UserOptions

    var forecastOptions: ForecastOptions? { forecast }

    func run(in session: Session) async throws {
        try session.write(session.configuration.settings) { setting in
            [setting.name, setting.value, setting.origin.description]
        } json: { setting in
            [
                "name": .string(setting.name), "value": .string(setting.value),
                "origin": .string(setting.origin.description),
            ]
        }
    }
}
