import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `forecast list`, which lists saved weather.
struct ForecastList: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List all cities with saved weather, or the cities that meet a condition.",
        discussion: """
            Prints one line for each city: code, time of publication, number of days, title; on a terminal with a \
            header. With --format json each line is the complete weather of a city as a JSON object, as `forecast \
            show` prints it. The cities are sorted by code unless --sort is given.

            CONDITIONS
            A condition compares the fields city, title, published and description; `profile-cli list --help` \
            describes the comparisons. day (…) contains a condition on the fields date, weather, lowest and highest of \
            a single day, and is true if at least one day meets all of it:

              title contains 東京
              published >= 2026-11-21T00:00:00Z
              day (date = 2026-11-22 and highest > 30)
              day (weather contains 雨) and not day (lowest < 0)

            EXAMPLES
              profile-cli forecast list
              profile-cli forecast list --where 'day (weather contains 雪)' --sort 'published desc'
            """)

    @OptionGroup(title: "Forecast Query Options") var queryOptions: WeatherQueryOptions

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let query = try queryOptions.query()
            let isSorted = query.filter != nil || !query.sort.isEmpty
            let cities = try await session.withStorage(buildingIndexes: isSorted) { storage in
                try await storage.weather.find(query).entities
            }
            try await session.mentionMissingStore()
            switch session.format {
            case .text:
                var table = Table(header: ["city", "published", "days", "title"], rightAligned: [2])
                for weather in cities { table.add(weather.cells) }
                try Console.write(table.lines(aligned: Console.isTerminal, width: Console.outputWidth))
            case .json: try Console.write(json: cities.map { WeatherOutput($0) })
            }
        }
    }
}

extension Weather {
    /// The cells of the weather's row in a list: the city code, the time of publication, the number of forecast days,
    /// and the title.
    var cells: [String] { [id.text, "\(publishedAt)", "\(forecasts.count)", title] }
}
