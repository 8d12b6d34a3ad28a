import ArgumentParser

/// The command `forecast`, which contains the subcommands for forecasts.
struct ForecastCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forecast",
        abstract: "Fetch, save and show weather forecasts of cities.",
        discussion: """
            A city is a code of six digits, e.g. 130010 for Tokyo, or a name that is unique, e.g. 東京. Saving the \
            weather of a city replaces its saved weather and does not change other cities.

            EXAMPLES
              profile-cli forecast fetch 130010
              profile-cli forecast show 130010 --max-age 2h
              profile-cli forecast save weather.json --city 130010
            """,
        subcommands: [
            ForecastFetch.self, ForecastSave.self, ForecastShow.self, ForecastList.self, ForecastWatch.self,
            ForecastDelete.self, ForecastCities.self,
        ])
}
