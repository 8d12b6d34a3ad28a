import ArgumentParser

/// The command `forecast fetch`, which fetches and saves weather.
struct ForecastFetch: ProgramCommand {
    static let help: CommandHelp = """
        fetch: Fetch the weather of cities from a weather service and save it.

        Replaces the saved weather of each city. A failed fetch keeps it, and exits with 1 if the city is unknown, 69 \
        if the service does not respond, or 65 if its response is invalid. The other cities are still fetched.

        EXAMPLES
          profile-cli forecast fetch 130010
          profile-cli forecast fetch 東京 大阪
          profile-cli forecast fetch --all
        """

    @Argument(help: "The cities, each as a six-digit code or a name.", completion: .city)
    var cities: [String] = []

    @Flag(help: "Fetch all cities that `forecast cities` lists.")
    var all = false

    @OptionGroup(title: "Forecast Options") var forecast: ForecastOptions
    @OptionGroup(title: "Common Options") var options: StoreOptions

    var forecastOptions: ForecastOptions? { forecast }

    func validate() throws {
        if cities.isEmpty != all { throw UsageError("pass either cities or --all") }
    }

    func run(in session: Session) async throws {
        try session.program.requireSource()
        let codes = try all ? City.all.map(\.code) : cities.map { try CityCode(codeOrName: $0) }
        if codes.count > 1, forecast.latitude != nil {
            throw CommandError(.usage, "--latitude and --longitude apply to one city only")
        }
        let forecasts = try await session.open(saving: true).forecasts
        if codes.count == 1 {
            let weather = try await forecasts.refresh(codes[0], warning: { Console.warn($0, codes[0]) })
            session.note("fetched \(weather.forecasts.count) days for \(weather.id), \(weather.title)")
        } else {
            try await fetch(codes, from: forecasts, session)
        }
    }

    private func fetch(_ codes: [CityCode], from forecasts: ForecastUseCase, _ session: Session) async throws {
        let line = ProgressLine(of: "city")
        var warnings: [CityCode: [UserProfileDomain.ValidationError]] = [:]
        let outcomes = try await forecasts.refresh(codes) { doneCount, cityCount in
            line.show(doneCount, outOf: cityCount)
        } warning: {
            warnings[$0, default: []].append($1)
        }
        let failures = codes.compactMap { code -> (any Error)? in
            if case .failure(let error)? = outcomes[code] { error } else { nil }
        }
        line.clear()
        let count = outcomes.count - failures.count
        try session.report(
            "fetched \(count) of \(outcomes.count) cities",
            json: ["fetchedCount": count, "cityCount": outcomes.count])
        for code in codes { warnings.removeValue(forKey: code)?.forEach { Console.warn($0, code) } }
        let exitCodes = failures.map { ExitCode.reporting($0, isVerbose: session.isVerbose) }
        if let code = exitCodes.first { throw code }
    }
}

/// The command `forecast save`, which saves a weather document from a file.
struct ForecastSave: ProgramCommand {
    static let help: CommandHelp = """
        save: Save the weather of a city from a JSON document.

        Reads the JSON of the livedoor weather service or of weather.tsukumijima.net, or the output of `forecast show \
        --json`, which contains the city. A day that cannot be read is left out with a warning.

        EXAMPLES
          profile-cli forecast save weather.json --city 130010
          curl -s "$URL" | profile-cli forecast save --city 130010
          profile-cli forecast show 130010 --json | profile-cli forecast save - --store plist:copy.plist
        """

    @Argument(help: "The document; - is standard input.")
    var file: String = "-"

    @Option(
        help: "The city of the document: a six-digit code or a name; required if the document does not contain it.",
        completion: .city)
    var city: String?

    @OptionGroup(title: "Common Options") var options: StoreOptions

    func run(in session: Session) async throws {
        let requested = try city.map(CityCode.init(codeOrName:))
        let document = try InputBytes.document(at: file, as: .weatherDocument, maximumByteCount: 1 << 20)
        guard let city = try requested ?? DecodedWeather.city(ofLivedoor: document) else {
            throw CommandError(.usage, "the document does not contain its city; pass --city")
        }
        let forecasts = try await session.open(saving: true).forecasts
        let weather = try await forecasts.save(document: document, for: city) { Console.warn($0, city) }
        session.note("saved \(weather.forecasts.count) days for \(city), \(weather.title)")
    }
}
