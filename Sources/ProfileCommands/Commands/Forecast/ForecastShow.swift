import ArgumentParser
import UserProfileDomain
import UserProfileKit

/// The command `forecast show`, which prints the weather of a city.
struct ForecastShow: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the weather of a city.",
        discussion: """
            On a terminal, prints the title, the days with their temperatures and a chart, and the description. \
            Elsewhere, prints one line for each day, separated by tabs: date, label, weather, lowest and highest \
            temperature in °C, and image URL. If no weather is saved for the city, the command prints nothing and \
            exits with 1.

            With --max-age, the command first fetches the weather if it is not saved or is older. If the fetch fails, \
            it prints the saved weather and reports its age on standard error.

            EXAMPLES
              profile-cli forecast show 130010
              profile-cli forecast show 東京 --max-age 2h
            """)

    @Argument(help: "The city: a six-digit code or a name.", completion: CityCompletion.kind)
    var city: String

    @Option(
        help: ArgumentHelp(
            "The maximum age of the saved weather: a number of seconds, or a number followed by s, m, h or d.",
            valueName: "age"))
    var maxAge: String?

    @OptionGroup(title: "Forecast Options") var forecast: ForecastOptions
    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in program: ProfileProgram) async throws {
        try await program.run(options, forecast) { session in
            if maxAge != nil { try program.requireSource() }
            let city = try CityCode(codeOrName: city)
            let maxAge = try maxAge.map { text throws(UserProfileDomain.ValidationError) in try Duration(age: text) }
            let result = try await session.withStorage { storage in
                try await weather(of: city, maxAge, in: storage, session)
            }
            if let failure = result.cached?.failure, let age = result.cached?.age {
                Console.error("showing the saved weather of \(city), \(age.ageDescription) old: \(failure)")
            }
            for warning in result.cached?.warnings ?? [] { Console.warn(warning, city) }
            switch session.format {
            case .text:
                let page = WeatherPage(weather: result.weather)
                try Console.write(Console.isTerminal ? page.lines() : page.plainLines())
            case .json: try Console.write(json: WeatherOutput(result.weather, cached: result.cached))
            }
        }
    }

    private func weather(
        of city: CityCode, _ maxAge: Duration?, in storage: UserProfileStorage, _ session: Session
    ) async throws -> (weather: Weather, cached: CachedWeather?) {
        if let maxAge {
            let cached = try await storage.forecasts.forecast(city, maxAge: maxAge)
            return (cached.weather, cached)
        }
        guard let weather = try await storage.weather.find(city) else {
            throw try await session.nothingSaved("no weather is saved for \(city)")
        }
        return (weather, nil)
    }
}
