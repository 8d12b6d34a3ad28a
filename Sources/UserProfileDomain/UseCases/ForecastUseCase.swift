/// What a program does with forecasts: save a city's weather and read it back.
///
/// Saving replaces what was there for that city and leaves other cities alone. Failures are a ``RepositoryError``, or
/// `CancellationError` where the task was cancelled.
public struct ForecastUseCase: Sendable {
    private let weather: any Repository<Weather>
    private let decoder: any WeatherDecoder

    /// Works on a repository.
    ///
    /// - Parameters:
    ///   - weather: where the weather of cities is kept.
    ///   - decoder: reads weather documents.
    public init(weather: any Repository<Weather>, decoder: any WeatherDecoder) {
        self.weather = weather
        self.decoder = decoder
    }

    /// Saves the weather of a city, in place of what was there.
    public func save(_ weather: Weather) async throws { try await self.weather.save(weather) }

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
    public func weather(of city: CityCode) async throws -> Weather? { try await weather.find(city) }

    /// The saved weather of all cities in the order of their codes.
    public func list() async throws -> [Weather] { try await weather.list() }

    /// Deletes the weather of a city.
    ///
    /// - Parameter city: the city.
    /// - Returns: whether there was any.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    @discardableResult
    public func delete(_ city: CityCode) async throws -> Bool { try await weather.delete(city) }
}
