import ArgumentParser

/// The command `forecast`, which contains the subcommands for forecasts.
struct ForecastCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forecast", abstract: "Fetch, save and show weather forecasts of cities.",
        discussion: """
            A city is a code of six digits, e.g. 130010 for Tokyo, or a unique name, e.g. 東京.

            EXAMPLES
              profile-cli forecast fetch 130010
              profile-cli forecast show 130010 --max-age 2h
            """,
        subcommands: [
            ForecastFetch.self, ForecastSave.self, ForecastShow.self, ForecastList.self, ForecastWatch.self,
            ForecastDelete.self, ForecastCities.self,
        ])
}

/// The command `forecast cities`, which lists known cities.
struct ForecastCities: ProgramCommand {
    static let help: CommandHelp = """
        cities: List the cities for which forecasts exist.

        Prints code, region and name of each city. If no city matches, the command exits with 1.

        EXAMPLE
          profile-cli forecast cities 沖縄
        """

    @Argument(help: "A part of the name or the region, or the first digits of the code.")
    var search: String = ""

    @OptionGroup(title: "Common Options") var options: FormatOptions

    func run(in session: Session) async throws {
        let cities = City.matching(search)
        guard !cities.isEmpty else { throw CommandError(.notSaved, "no city matches \(search.excerpt(80).quoted)") }
        try session.write(cities, in: Table(header: ["city", "region", "name"])) { city in
            [city.code.text, city.region, city.name]
        } json: { city in
            ["code": city.code.text, "region": city.region, "name": city.name]
        }
    }
}

/// The command `forecast list`, which lists saved weather.
struct ForecastList: ProgramCommand {
    static let help: CommandHelp = """
        list: List all cities with saved weather, or the cities that meet a condition.

        Prints code, time of publication, number of days and title of each city, sorted by code. With --json each line \
        is the complete weather of a city.

        CONDITIONS
        The fields are city, title, published and description; `profile-cli list --help` describes the comparisons. \
        day (…) is a condition on the fields date, weather, lowest and highest of one day:

          title contains 東京
          published >= 2026-11-21T00:00:00Z
          day (date = 2026-11-22 and highest > 30)
          day (weather contains 雨) and not day (lowest < 0)

        EXAMPLES
          profile-cli forecast list
          profile-cli forecast list --where 'day (weather contains 雪)' --sort 'published desc'
        """

    @OptionGroup(title: "Forecast Query Options") var queryOptions: WeatherQueryOptions

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let query = try queryOptions.query()
        let isSorted = query.filter != nil || !query.sort.isEmpty
        let cities = try await session.open(buildingIndexes: isSorted).weather.find(query).entities
        try await session.mentionMissingStore()
        let table = Table(header: ["city", "published", "days", "title"], rightAligned: [2])
        try session.write(cities, in: table, cells: \.cells) { $0.json() }
    }
}

/// The command `forecast delete`, which deletes saved weather.
struct ForecastDelete: ProgramCommand {
    static let help: CommandHelp = """
        delete: Delete the saved weather of a city.

        Asks for confirmation; without a terminal, --yes is required. If nothing is saved, the command exits with 1.

        EXAMPLE
          profile-cli forecast delete 130010 --yes
        """

    @Argument(help: "The city: a six-digit code or a name.", completion: .city)
    var city: String

    @OptionGroup var confirmation: ConfirmationOptions

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let city = try CityCode(codeOrName: city)
        let weather = try await session.open().weather
        try await confirmation.confirm(await weather.find(city).map { "delete the weather of \(city), \($0.title)" })
        try await session.requireSaved(weather.delete(city), "no weather is saved for \(city)")
        session.note("deleted the weather of \(city)")
    }
}

/// The command `forecast show`, which prints the weather of a city.
struct ForecastShow: ProgramCommand {
    static let help: CommandHelp = """
        show: Show the weather of a city.

        Prints a page with a chart of temperatures. In a pipe, prints one line for each day, separated by tabs: date, \
        label, weather, lowest and highest temperature in °C, and image URL.

        With --max-age, first fetches the weather if it is not saved or is older. If that fails, prints the saved \
        weather, and its age on standard error.

        EXAMPLES
          profile-cli forecast show 130010
          profile-cli forecast show 東京 --max-age 2h
        """

    @Argument(help: "The city: a six-digit code or a name.", completion: .city)
    var city: String

    @Option(
        help: ArgumentHelp(
            "The maximum age of the saved weather: a number of seconds, or a number followed by s, m, h or d.",
            valueName: "age"))
    var maxAge: String?

    @OptionGroup(title: "Forecast Options") var forecast: ForecastOptions
    @OptionGroup(title: "Common Options") var options: StoreOptions

    var forecastOptions: ForecastOptions? { forecast }

    func validate() throws {
        if maxAge == nil, forecast.isGiven { throw UsageError("the options of a weather service require --max-age") }
    }

    func run(in session: Session) async throws {
        if maxAge != nil { try session.program.requireSource() }
        let city = try CityCode(codeOrName: city)
        let maxAge = try maxAge.map { text throws(UserProfileDomain.ValidationError) in try Duration(age: text) }
        let storage = try await session.open(saving: maxAge != nil)
        var cached: CachedWeather?
        if let maxAge { cached = try await storage.forecasts.forecast(city, maxAge: maxAge) }
        let saved = cached == nil ? try await storage.weather.find(city) : cached?.weather
        let weather = try await session.requireSaved(saved, "no weather is saved for \(city)")
        if let failure = cached?.failure, let age = cached?.age {
            Console.warn("showing the saved weather of \(city), \(age.ageDescription) old: \(failure)")
        }
        for warning in cached?.warnings ?? [] { Console.warn(warning, city) }
        try session.write(Console.isTerminal ? weather.page() : weather.plainLines(), json: weather.json(cached))
    }
}
