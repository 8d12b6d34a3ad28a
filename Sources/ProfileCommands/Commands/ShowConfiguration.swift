import ArgumentParser

/// The command `config`, which prints the name, the value and the origin of each part of the configuration.
struct ShowConfiguration: ProgramCommand {
    static let help: CommandHelp = """
        config: Show the configuration, and where each value comes from.

        Values come from the command line, from environment variables, from config.json, and from the defaults, in \
        this order.

        EXAMPLE
          profile-cli config --environment staging
        """

    @OptionGroup(title: "Forecast Options") var forecast: ForecastOptions
    @OptionGroup(title: "Common Options") var options: UserOptions

    var forecastOptions: ForecastOptions? { forecast }

    func run(in session: Session) async throws {
        try session.write(session.configuration.settings, in: Table(header: ["name", "value", "origin"])) { setting in
            [setting.name, setting.value, setting.origin]
        } json: { setting in
            ["name": setting.name, "value": setting.value, "origin": setting.origin]
        }
    }
}
