/// The state of a ``ForecastMonitor``: what a screen displays for a city.
public enum ForecastState: Sendable {
    /// No load has started.
    case idle
    /// The weather is being read or fetched, with the progress of the fetch if data has arrived.
    case loading(FetchProgress?)
    /// The weather is available and fresh enough.
    case loaded(CachedWeather)
    /// Only older weather is available, with the error that prevented a newer fetch.
    case stale(CachedWeather, RepositoryError)
    /// No weather is available. The code of the error states the reason.
    case failed(RepositoryError)

    /// Whether fresh weather is available.
    var isLoaded: Bool { if case .loaded = self { true } else { false } }
}
