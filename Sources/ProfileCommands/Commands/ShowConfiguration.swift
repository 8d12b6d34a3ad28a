import ArgumentParser
import UserProfileKit

/// The command `config`, which prints the name, the value and the origin of each setting of the configuration.
struct ShowConfiguration: ProgramCommand {
    /// The JSON output for a setting of the configuration.
    private struct Output: Encodable {
        let name: String
        let value: String
        let origin: String
    }

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

    func run(in program: ProfileProgram) async throws {
        try await program.run(options, forecast) { session in
            let settings = session.configuration.settings
            switch session.format {
            case .text:
                var table = Table()
                for setting in settings { table.add([setting.name, setting.value, setting.origin.description]) }
                try Console.write(table.lines(aligned: Console.isTerminal))
            case .json:
                try Console.write(
                    json: settings.map { Output(name: $0.name, value: $0.value, origin: $0.origin.description) })
            }
        }
    }
}
