import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `forecast watch`, which prints the saved weather of one city, or of the cities that meet a condition,
/// and prints it again after each change.
struct ForecastWatch: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the saved weather of one or more cities after each change.",
        discussion: """
            Prints the saved weather, and prints it again after each save by any program that changes it. If changes \
            arrive faster than they can be written, intermediate states are skipped; the last one is always printed.

            With a city, prints one line for each day, as `forecast show` prints it into a pipe. Without a city, \
            prints one line for each city, as `forecast list` does. An empty line follows each state. With --json each \
            state is one line: with a city, the object that `forecast show` prints, or {"city":…,"isSaved":false} if \
            no weather is saved; without a city, {"cities":[…]} with these objects.

            The command runs until it is interrupted (Ctrl-C) or terminated, or until the reader of its output closes \
            the pipe.

            EXAMPLES
              profile-cli forecast watch 130010
              profile-cli forecast watch --where 'day (weather contains 雪)' --json | jq .
            """)

    @Argument(help: "The city: a six-digit code or a name (default: all cities).", completion: CityCompletion.kind)
    var city: String?

    @OptionGroup(title: "Forecast Query Options") var queryOptions: WeatherQueryOptions

    @Flag(help: "The same as --format json.")
    var json = false

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func validate() throws {
        if city != nil, queryOptions.isGiven {
            throw ArgumentParser.ValidationError("a city cannot be combined with --where, --sort or --limit")
        }
    }

    func run(in program: ProfileProgram) async throws {
        try await program.run(options) { session in
            let format: StoreOptions.Format = json ? .json : session.format
            let city = try city.map { text throws(UserProfileDomain.ValidationError) in
                try CityCode(codeOrName: text)
            }
            let query = try queryOptions.query()
            await Interruption.install()
            Interruption.exitOnBrokenPipe()
            try await session.withStorage(buildingIndexes: city == nil) { storage in
                if let city {
                    for try await weather in storage.weather.updates(of: city) { try write(weather, city, format) }
                } else {
                    for try await page in storage.weather.updates(matching: query) {
                        try write(page.entities, format)
                    }
                }
            }
            Interruption.exitIfInterrupted()
        }
    }

    private func write(_ weather: Weather?, _ city: CityCode, _ format: StoreOptions.Format) throws {
        switch (format, weather) {
        case (.text, _):
            try Console.write((weather.map { WeatherPage(weather: $0).plainLines() } ?? []) + [""])
        case (.json, let weather?): try Console.write(json: WeatherOutput(weather))
        case (.json, nil): try Console.write(json: MissingWeather(city: city.text))
        }
    }

    private func write(_ cities: [Weather], _ format: StoreOptions.Format) throws {
        switch format {
        case .text:
            var table = Table()
            for weather in cities { table.add(weather.cells) }
            try Console.write(table.lines(aligned: false) + [""])
        case .json: try Console.write(json: ["cities": cities.map { WeatherOutput($0) }])
        }
    }
}

/// The JSON output for a city without saved weather.
private struct MissingWeather: Encodable {
    let city: String
    let isSaved = false
}
