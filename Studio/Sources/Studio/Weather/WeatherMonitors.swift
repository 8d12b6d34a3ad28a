import UserProfileKit

/// The monitors of the cities that pages show, each with its running load.
///
/// The address of a page contains its city, so two tabs can show two cities. One monitor with a changing city could not
/// serve both.
///
/// A studio that only reads keeps fetched weather in memory, next to a copy of the saved weather.
@MainActor final class WeatherMonitors {
    /// The age at which saved weather is fetched again.
    static let maxAge = Duration.seconds(3600)

    /// The maximum number of saved cities that a page lists.
    private static let maximumSavedCount = 200

    /// The number of monitors that are kept.
    static let maximumCount = 32

    private struct Entry {
        let monitor: ForecastMonitor
        var task: Task<Void, Never>?
    }

    private let storage: UserProfileStorage
    private let cache: UserProfileStorage?
    private var entries: [CityCode: Entry] = [:]

    /// Creates the monitors.
    ///
    /// - Parameters:
    ///   - storage: The storage of the saved weather.
    ///   - cache: The storage in memory that receives fetched weather, or `nil` to save it in the first one.
    nonisolated init(_ storage: UserProfileStorage, cache: UserProfileStorage?) {
        self.storage = storage
        self.cache = cache
    }

    /// Returns the monitor of a city. The first call loads its weather.
    func monitor(of city: CityCode) -> ForecastMonitor {
        if let entry = entries[city] { return entry.monitor }
        if entries.count >= WeatherMonitors.maximumCount { entries = entries.filter { $0.value.task != nil } }
        let monitor = ForecastMonitor(
            city: city, forecasts: (cache ?? storage).forecasts, maxAge: WeatherMonitors.maxAge)
        entries[city] = Entry(monitor: monitor)
        start(city) { await $0.load() }
        return monitor
    }

    /// Returns the state of a city. The first call loads its weather.
    func state(of city: CityCode) -> ForecastState {
        let state = monitor(of: city).state
        // A load that was just started has not reached its monitor yet.
        if case .idle = state, entries[city]?.task != nil { return .loading(nil) }
        return state
    }

    /// Returns the saved weather of a city, or fetched weather that is kept in memory.
    nonisolated func savedWeather(of city: CityCode) async throws -> Weather? {
        if let cached = try await cache?.weather.find(city) { return cached }
        return try await storage.weather.find(city)
    }

    /// Fetches the weather of a city, unless it is being loaded.
    func refresh(_ city: CityCode) {
        _ = monitor(of: city)
        start(city) { await $0.refresh() }
    }

    /// Returns the cities whose weather is saved, in the order of their codes.
    nonisolated func savedCities() async throws -> [CityCode] {
        try await storage.weather.find(Query(limit: WeatherMonitors.maximumSavedCount)).entities.map(\.id)
    }

    /// Cancels the running load of a city. Its previous state is restored.
    func cancel(_ city: CityCode) { entries[city]?.task?.cancel() }

    private func start(_ city: CityCode, _ load: @escaping @MainActor (ForecastMonitor) async -> Void) {
        guard let entry = entries[city], entry.task == nil else { return }
        entries[city]?.task = Task {
            await copySaved(city)
            await load(entry.monitor)
            entries[city]?.task = nil
        }
    }

    /// Copies the saved weather to the storage in memory, unless it has newer weather.
    nonisolated private func copySaved(_ city: CityCode) async {
        guard let cache else { return }
        do {
            guard let weather = try await storage.weather.find(city) else { return }
            try await cache.weather.update(city) { cached in
                if let newer = cached, newer.publishedAt >= weather.publishedAt { return }
                cached = weather
            }
        } catch {
            // Without a copy, the weather is fetched. The page of the store reports the error.
        }
    }
}
