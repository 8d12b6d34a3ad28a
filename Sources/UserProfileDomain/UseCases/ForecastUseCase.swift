/// The operations of a program on forecasts: fetch and save a city's weather, and read the weather with its age.
///
/// Saving the weather of a city replaces its previous weather and does not affect other cities. The functions throw a
/// ``RepositoryError`` if the store or the source fails, and `CancellationError` if the task is cancelled. To list,
/// query, observe or delete saved weather, use its ``Repository``.
public struct ForecastUseCase: Sendable, HidesEntities {
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
    ///   - unitOfWork: A unit of work over the same store as the repository. The use case saves the weather of several
    ///     cities with it, in one transaction.
    ///   - decoder: The decoder for weather documents.
    ///   - source: The source from which forecasts are fetched.
    ///   - now: A closure that returns the current time, from which ages are computed.
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

    /// Decodes a weather document and saves the weather in place of the city's previous weather.
    ///
    /// - Parameters:
    ///   - document: The bytes of the document, as the weather service published it.
    ///   - city: The code of the city to which the document belongs.
    ///   - warning: A closure that receives the reason for each day that cannot be read and is left out.
    /// - Returns: The saved weather.
    /// - Throws: ``ValidationError`` if the document is invalid or has no readable day, ``RepositoryError`` if the
    ///   store fails, or `CancellationError` if the task is cancelled. In each case nothing is changed.
    @discardableResult
    public func save(
        document: [UInt8], for city: CityCode, warning: (ValidationError) -> Void = { _ in }
    ) async throws -> Weather {
        let decoded = try decoder.decode(document, for: city)
        try await repository.save(decoded.weather)
        decoded.warnings.forEach(warning)
        return decoded.weather
    }

    /// Returns the weather of each city whose forecast for a date meets a condition.
    ///
    /// ```swift
    /// let rainy = try await forecasts.list(on: date, where: .contains(\.telop, "雨"))
    /// let hot = try await forecasts.list(on: date, where: \.highest > Temperature(celsius: 35))
    /// ```
    ///
    /// - Parameters:
    ///   - date: The day of the forecast.
    ///   - filter: The condition on the forecast for that day, or `nil` to accept any forecast.
    /// - Returns: The weather of the cities, ordered by city code.
    /// - Throws: ``RepositoryError`` if the read fails, or `CancellationError` if the task is cancelled.
    public func list(on date: CalendarDate, where filter: Filter<Forecast>? = nil) async throws -> [Weather] {
        let isOnDate: Filter<Forecast> = \.date == date
        let day = filter.map { isOnDate && $0 } ?? isOnDate
        return try await repository.find(Query(where: .any(\.forecasts, day))).entities
    }
}
