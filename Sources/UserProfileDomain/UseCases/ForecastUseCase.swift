/// The operations of a program on forecasts: fetch and save a city's weather, and read it with its age.
///
/// Saving the weather of a city replaces its previous weather and does not affect other cities. The functions throw a
/// ``RepositoryError``, or `CancellationError` if the task was cancelled. To list, query, observe or delete saved
/// weather, call its ``Repository``.
public struct ForecastUseCase: Sendable {
    let repository: any Repository<Weather>
    let unitOfWork: any UnitOfWork
    let source: any ForecastSource
    let now: @Sendable () -> Instant
    let fetches = SharedFetches()
    private let decoder: any WeatherDecoder

    /// Creates a use case.
    ///
    /// - Parameters:
    ///   - weather: The repository of the weather.
    ///   - unitOfWork: Changes several cities of that repository in one transaction.
    ///   - decoder: Decodes weather documents.
    ///   - source: The source of forecasts.
    ///   - now: Returns the current time, from which ages are computed.
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

    /// Decodes a weather document, saves it and replaces the previous weather of the city.
    ///
    /// - Parameters:
    ///   - document: The bytes of the document, as published by the service.
    ///   - city: The city of the document.
    /// - Returns: The saved weather.
    /// - Throws: Also ``ValidationError`` if the document is invalid; then nothing is changed.
    @discardableResult
    public func save(document: [UInt8], for city: CityCode) async throws -> Weather {
        let weather = try decoder.decode(document, for: city)
        try await repository.save(weather)
        return weather
    }

    /// Returns the weather of the cities that have a forecast for a date, if that forecast meets a filter.
    ///
    /// ```swift
    /// let rainy = try await forecasts.list(on: date, where: .contains(\.telop, "雨"))
    /// let hot = try await forecasts.list(on: date, where: \.highest > Temperature(celsius: 35))
    /// ```
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - filter: The condition on the forecast for that day, or `nil` for any forecast.
    /// - Returns: The weather, ordered by the codes of the cities.
    /// - Throws: ``RepositoryError``.
    public func list(on date: CalendarDate, where filter: Filter<Forecast>? = nil) async throws -> [Weather] {
        let isOnDate: Filter<Forecast> = \.date == date
        let day = filter.map { isOnDate && $0 } ?? isOnDate
        return try await repository.find(Query(where: .any(\.forecasts, day))).entities
    }
}
