/// What a program does with forecasts: fetch and save a city's weather, and read it back with its age.
///
/// Saving replaces what was there for that city and leaves other cities alone. Failures are a ``RepositoryError``, or
/// `CancellationError` where the task was cancelled.
public struct ForecastUseCase: Sendable {
    let repository: any Repository<Weather>
    let unitOfWork: any UnitOfWork
    let source: any ForecastSource
    let now: @Sendable () -> Instant
    let fetches = SharedFetches()
    private let decoder: any WeatherDecoder

    /// Works on a repository and a source.
    ///
    /// - Parameters:
    ///   - weather: where the weather of cities is kept.
    ///   - unitOfWork: changes several cities at once in that repository.
    ///   - decoder: reads weather documents.
    ///   - source: where forecasts come from.
    ///   - now: the present, by which ages count.
    package init(
        weather: any Repository<Weather>, unitOfWork: any UnitOfWork, decoder: any WeatherDecoder,
        source: any ForecastSource, now: @escaping @Sendable () -> Instant
    ) {
        repository = weather
        self.unitOfWork = unitOfWork
        self.decoder = decoder
        self.source = source
        self.now = now
    }

    /// Saves the weather of a city, in place of what was there.
    public func save(_ weather: Weather) async throws { try await repository.save(weather) }

    /// Reads a weather document and saves it, in place of what was there for the city.
    ///
    /// - Parameters:
    ///   - document: the bytes of the document, as a service publishes it.
    ///   - city: the city it is for.
    /// - Returns: what was saved.
    /// - Throws: also ``ValidationError`` where it is no such document; then nothing is changed.
    @discardableResult
    public func save(document: [UInt8], for city: CityCode) async throws -> Weather {
        let weather = try decoder.decode(document, for: city)
        try await save(weather)
        return weather
    }

    /// The weather of a city, or nil where none is saved.
    public func weather(of city: CityCode) async throws -> Weather? { try await repository.find(city) }

    /// The saved weather of all cities in the order of their codes.
    public func list() async throws -> [Weather] { try await repository.list() }

    /// A page of the weather that a query asks for. It may have to look at the weather of all cities.
    ///
    /// - Parameter query: which cities, in which order, and how many.
    /// - Returns: the weather of the cities, and where the next page begins.
    /// - Throws: ``RepositoryError``.
    public func find(_ query: Query<Weather>) async throws -> Page<Weather> { try await repository.find(query) }

    /// The saved weather of a city, now and after each change, whoever makes it.
    ///
    /// - Parameter city: the city.
    /// - Returns: the states, nil while none is saved.
    public func updates(of city: CityCode) -> Updates<Weather?> { repository.updates(of: city) }

    /// The weather that a query asks for, now and after each change of the answer, whoever makes it.
    ///
    /// - Parameter query: which cities, in which order, and how many: all of them with `Query()`.
    /// - Returns: the pages.
    public func updates(matching query: Query<Weather>) -> Updates<Page<Weather>> {
        repository.updates(matching: query)
    }

    /// The weather of the cities that have a forecast for a date, and one that meets a filter.
    ///
    /// ```swift
    /// let rainy = try await forecasts.list(on: date, where: .contains(\.telop, "雨"))
    /// let hot = try await forecasts.list(on: date, where: \.highest > Temperature(celsius: 35))
    /// ```
    ///
    /// - Parameters:
    ///   - date: the day.
    ///   - filter: what the forecast for that day must be like; nil: as it may.
    /// - Returns: the weather in the order of the cities' codes.
    /// - Throws: ``RepositoryError``.
    public func list(on date: CalendarDate, where filter: Filter<Forecast>? = nil) async throws -> [Weather] {
        let isOnDate: Filter<Forecast> = \.date == date
        let day = filter.map { isOnDate && $0 } ?? isOnDate
        return try await repository.find(Query(where: .any(\.forecasts, day))).entities
    }

    /// Deletes the weather of a city.
    ///
    /// - Parameter city: the city.
    /// - Returns: whether there was any.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    @discardableResult
    public func delete(_ city: CityCode) async throws -> Bool { try await repository.delete(city) }
}
