/// The state of a ``ForecastMonitor``, which a screen displays for a city.
public enum ForecastState: Sendable {
    /// No load of the current city has started, or every such load was cancelled.
    case idle
    /// A load is running. The progress is `nil` until data arrives from the weather service.
    case loading(FetchProgress?)
    /// Weather within the maximum age is available.
    case loaded(CachedWeather)
    /// Saved weather is available, but a fetch of newer weather failed with the error.
    case stale(CachedWeather, RepositoryError)
    /// No weather is available. The error states why the load failed.
    case failed(RepositoryError)

    /// Whether weather within the maximum age is available.
    var isLoaded: Bool { if case .loaded = self { true } else { false } }
}
