import DataStoreCore
import UserProfileData
import UserProfileDomain

/// The forecast use case with a store, a scripted source, and a manual clock.
struct ForecastSetup {
    let store: any DataStore
    let source: ScriptedSource
    let clock = ManualClock()
    let weather: any Repository<Weather>
    let forecasts: ForecastUseCase

    init(
        _ store: any DataStore = MemoryDataStore(), _ response: @escaping ScriptedSource.Response = ForecastSetup.fresh
    )
        throws
    {
        let clock = clock
        self.store = store
        source = ScriptedSource(response)
        weather = try DataStoreRepository(store: store, mapping: WeatherMapping())
        forecasts = ForecastUseCase(weather: weather, source: source, now: { clock.now }) {
            _, _ throws(ValidationError) in
            throw ValidationError(.weatherDocument, given: "", rule: "no test reads one")
        }
    }

    /// Returns weather with only a title.
    static func weather(_ city: CityCode, _ title: String) -> Weather {
        Weather(id: city, title: title, publishedAt: Instant(seconds: 1), description: nil, forecasts: [])
    }

    /// Responds with weather that has the title "new".
    static let fresh: ScriptedSource.Response = { city, _, _ in .new(weather(city, "new"), nil) }

    /// Returns a response that fails with a code.
    static func failing(_ code: RepositoryError.Code) -> ScriptedSource.Response {
        { _, _, _ in throw RepositoryError(code, message: "the source fails") }
    }
}

extension RepositoryError.Code {
    /// The error codes of a source.
    static let ofSources: [RepositoryError.Code] = [.notFound, .unavailable, .lackOfResources, .unexpected]
}
