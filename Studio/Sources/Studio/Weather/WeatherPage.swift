import UserProfileKit

/// The weather of a city, in the state of its monitor.
struct WeatherPage: Page {
    static let template = "Weather"
    static let path = "/weather"

    /// A city that the field suggests.
    struct Choice: Sendable {
        let code: String
        let name: String
    }

    /// A city whose weather is saved.
    struct SavedCity: Sendable {
        let name: String
        let address: String
    }

    /// The weather, when it is known.
    struct Report: Sendable {
        let title: String
        let publishedAt: String
        let age: String
        let paragraphs: [String]
        let days: [Day]
        let hasDays: Bool
        /// The reasons for days that the service sent but that cannot be read.
        let warnings: [String]
        let chart: WeatherChart?
    }

    /// The forecast of a day.
    struct Day: Sendable {
        let date: String
        let label: String
        let telop: String
        let lowest: String
        let highest: String
    }

    private static let choices = City.all.map { Choice(code: $0.code.text, name: "\($0.region) \($0.name)") }

    let frame: Frame
    let title: String
    let navigation = NavigationItem.items(current: WeatherPage.path)
    let choices = WeatherPage.choices
    /// The text of the field.
    let city: String
    /// The reason why the text is not a city, or `nil`.
    let cityError: String?
    /// Whether a city is chosen.
    let hasCity: Bool
    /// The cities whose weather is saved, if no city is chosen.
    let saved: [SavedCity]
    let hasSaved: Bool
    let isIdle: Bool
    let isLoading: Bool
    let progress: String
    /// The received share in percent, or `nil` if it is unknown.
    let percentage: Int?
    /// The reason why newer weather could not be fetched, or `nil`.
    let staleReason: String?
    /// The reason why no weather is available, or `nil`.
    let failure: String?
    let report: Report?
    let refreshAction: String
    let cancelAction: String
    let eventsAddress: String?

    /// Creates the page without a city, or with a text that is no city.
    init(field: String, error: ValidationError?, saved: [CityCode], frame: Frame) {
        self.init(
            field: field, error: error.map { "\($0)" }, city: nil, saved: saved, state: .idle, report: nil, frame: frame
        )
    }

    /// Creates the page of a city.
    ///
    /// - Parameters:
    ///   - city: The city.
    ///   - state: The state of its monitor.
    ///   - savedWeather: The saved weather, which the page shows while newer weather is loaded.
    ///   - now: The current time.
    ///   - frame: The store.
    init(_ city: CityCode, _ state: ForecastState, savedWeather: Weather?, now: Instant, frame: Frame) {
        let report: Report? =
            switch state {
            case .loaded(let weather), .stale(let weather, _):
                Report(weather.weather, age: weather.age, warnings: weather.warnings)
            case .loading, .idle: savedWeather.map { Report($0, at: now) }
            case .failed: nil
            }
        self.init(field: city.text, error: nil, city: city, saved: [], state: state, report: report, frame: frame)
    }

    private init(
        field: String, error: String?, city: CityCode?, saved: [CityCode], state: ForecastState, report: Report?,
        frame: Frame
    ) {
        self.frame = frame
        self.city = field
        cityError = error
        hasCity = city != nil
        title = city.map { "Weather of \(WeatherPage.name(of: $0))" } ?? "Weather"
        self.saved = saved.map { SavedCity(name: WeatherPage.name(of: $0), address: WeatherPage.address(of: $0)) }
        hasSaved = !saved.isEmpty
        var (isIdle, isLoading, progress, percentage) = (false, false, "", Int?.none)
        var (staleReason, failure) = (String?.none, String?.none)
        switch state {
        case .idle: isIdle = true
        case .loading(let step):
            isLoading = true
            progress = step.map { "\(ByteCount.text($0.receivedByteCount)) received" } ?? "waiting for the service"
            if let step, let expected = step.expectedByteCount, expected > 0 {
                percentage = min(100, step.receivedByteCount * 100 / expected)
            }
        case .loaded: break
        case .stale(_, let error): staleReason = "\(error)"
        case .failed(let error): failure = "\(error)"
        }
        self.isIdle = isIdle && city != nil && report == nil
        self.isLoading = isLoading
        self.progress = progress
        self.percentage = percentage
        self.staleReason = staleReason
        self.failure = failure
        self.report = report
        var form = Form()
        form["city"] = city?.text
        refreshAction = form.address("\(WeatherPage.path)/refresh")
        cancelAction = form.address("\(WeatherPage.path)/cancel")
        eventsAddress = city == nil ? nil : form.address("\(WeatherPage.path)/events")
    }

    /// Returns the region and the name of a city, or its code if the city is unknown.
    private static func name(of code: CityCode) -> String {
        City.all.first { $0.code == code }.map { "\($0.region) \($0.name)" } ?? code.text
    }

    /// Returns the address of the page of a city.
    static func address(of city: CityCode) -> String {
        var form = Form()
        form["city"] = city.text
        return form.address(path)
    }
}

extension WeatherPage.Report {
    fileprivate init(_ weather: Weather, at now: Instant) {
        self.init(
            weather, age: max(.zero, now.duration(since: weather.receipt?.fetchedAt ?? weather.publishedAt)),
            warnings: [])
    }

    fileprivate init(_ weather: Weather, age duration: Duration, warnings: [ValidationError]) {
        title = weather.title
        let published = "\(weather.publishedAt)"
        publishedAt = "\(published.prefix(10)) \(published.dropFirst(11).prefix(5)) UTC"
        age = weather.receipt == nil ? "\(duration.inWords) old" : "fetched \(duration.inWords) ago"
        paragraphs = (weather.description ?? "").split(separator: "\n").map(String.init)
        days = weather.forecasts.map { forecast in
            WeatherPage.Day(
                date: forecast.date.text, label: forecast.dateLabel, telop: forecast.telop,
                lowest: forecast.lowest.map { "\($0)" } ?? "", highest: forecast.highest.map { "\($0)" } ?? "")
        }
        hasDays = !days.isEmpty
        self.warnings = warnings.map { "\($0)" }
        chart = WeatherChart(weather.forecasts)
    }
}

extension Duration {
    /// The duration in its largest unit, e.g. `3 hours`.
    var inWords: String {
        let seconds = max(0, components.seconds)
        for (length, unit) in [(86_400, "day"), (3600, "hour"), (60, "minute")] as [(Int64, String)]
        where seconds >= length {
            let count = seconds / length
            return "\(count) \(unit)\(count == 1 ? "" : "s")"
        }
        return "less than a minute"
    }
}
