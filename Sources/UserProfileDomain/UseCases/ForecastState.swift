/// What a screen shows of a city's weather.
public enum ForecastState: Sendable {
    /// Nothing was asked for yet.
    case idle
    /// It is being read or fetched; how much has arrived, where something has.
    case loading(FetchProgress?)
    /// There it is, new enough.
    case loaded(AgedWeather)
    /// There is an older one, and why there is none that is newer.
    case stale(AgedWeather, RepositoryError)
    /// There is none, and why; the code says of which kind the failure is.
    case failed(RepositoryError)

    /// Whether there is weather that is new enough.
    var isLoaded: Bool { if case .loaded = self { true } else { false } }
}
