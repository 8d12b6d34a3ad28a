/// The operations of a program on forecasts: fetch and save a city's weather, and read it with its age.
///
/// ```swift
/// let cached = try await storage.forecasts.forecast(city, maxAge: .seconds(3600))
/// print(cached.weather.title, cached.age)
/// if let failure = cached.failure { print("not updated: \(failure)") }
/// ```
///
/// A failed fetch never deletes saved weather. To list, query, observe or delete saved weather, use its ``Repository``.
/// The functions throw a ``RepositoryError`` if the store or the source fails, and `CancellationError` if the task is
/// cancelled.
public struct ForecastUseCase: Sendable, HidesEntities {
    let repository: any Repository<Weather>
    let source: (any ForecastSource)?
    let now: @Sendable () -> Instant
    let fetches = SharedFetches()
    private let decode: Decode

    /// Decodes the bytes of a document with the weather of a city.
    package typealias Decode = @Sendable ([UInt8], CityCode) throws(ValidationError) -> DecodedWeather

    /// Creates a use case.
    ///
    /// - Parameters:
    ///   - weather: The repository of the weather.
    ///   - source: The source from which forecasts are fetched. If it is `nil`, every fetch fails.
    ///   - now: A closure that returns the current time, from which ages are computed.
    ///   - decode: The decoder for weather documents.
    package init(
        weather: any Repository<Weather>, source: (any ForecastSource)?, now: @escaping @Sendable () -> Instant,
        decoding decode: @escaping Decode
    ) {
        repository = weather
        self.decode = decode
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
        let decoded = try decode(document, city)
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

extension ForecastUseCase {
    /// Fetches and saves the weather of several cities.
    ///
    /// The weather of a city is saved as soon as it is fetched. If one city fails, the others are still saved. If the
    /// task is cancelled, saved weather stays saved.
    ///
    /// - Parameters:
    ///   - cities: The codes of the cities. A duplicate is fetched once.
    ///   - atOnce: The maximum number of concurrent fetches. A number less than 1 is treated as 1.
    ///   - progress: A closure that receives the number of finished cities and the number of all cities, after each
    ///     city.
    ///   - warning: A closure that receives the city and the reason for each day that cannot be read and is left out.
    /// - Returns: The fetched weather of each city, or the error that ``refresh(_:progress:warning:)`` would throw.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func refresh(
        _ cities: [CityCode], atOnce: Int = 6,
        progress: @escaping @Sendable (_ doneCount: Int, _ cityCount: Int) -> Void = { _, _ in },
        warning: (CityCode, ValidationError) -> Void = { _, _ in }
    ) async throws -> [CityCode: Result<Weather, any Error>] {
        var seen: Set<CityCode> = []
        let cities = cities.filter { seen.insert($0).inserted }
        var outcomes: [CityCode: Result<Weather, any Error>] = [:]
        try await withThrowingTaskGroup(of: (CityCode, SharedFetches.Outcome).self) { group in
            var waiting = cities[...]
            func start() {
                guard let city = waiting.popFirst() else { return }
                group.addTask { (city, await Result { try await self.refreshed(city) { _ in }.get() }) }
            }
            for _ in 0..<max(1, atOnce) { start() }
            while let (city, outcome) = try await group.next() {
                try Task.checkCancellation()
                start()
                outcomes[city] = outcome.map(\.weather)
                if case .success(let fetched) = outcome { fetched.warnings.forEach { warning(city, $0) } }
                progress(outcomes.count, cities.count)
            }
        }
        return outcomes
    }
}
