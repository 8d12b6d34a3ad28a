import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `forecast list`, which lists saved weather.
struct ForecastList: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the cities that have saved weather.",
        discussion: """
            Prints a line for each city in the order of their codes: code, time of publication, number of days, \
            title. With --format json each line is the complete weather of a city as a JSON object.

            EXAMPLE
              profile-cli forecast list
            """)

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let cities = try await session.withStorage { try await $0.weather.list() }
            try await session.mentionMissingStore()
            switch session.format {
            case .text:
                var table = Table(rightAligned: [2])
                for weather in cities {
                    table.add(
                        [weather.id.text, "\(weather.publishedAt)", "\(weather.forecasts.count)", weather.title])
                }
                try Console.write(table.lines(aligned: Console.isTerminal))
            case .json: try Console.write(json: cities.map { WeatherOutput($0) })
            }
        }
    }
}
