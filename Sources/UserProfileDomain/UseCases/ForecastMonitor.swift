public import Observation

/// A model of a screen that loads the weather of one city. Like the live models of `UserProfileKit`, it is observable,
/// and reads and fetches on the global executor, never on the main actor.
///
/// ```swift
/// let monitor = ForecastMonitor(city: tokyo, forecasts: storage.forecasts, maxAge: .seconds(3600))
/// Task { await monitor.load() }
/// show(monitor.state)  // a view shows each new state
/// ```
///
/// If several loads overlap, the monitor reports the result of the load that started last. There is one exception: if
/// that load ends with ``ForecastState/failed(_:)`` or ``ForecastState/stale(_:_:)``, and an earlier load then ends
/// with ``ForecastState/loaded(_:)``, the monitor reports the loaded weather.
@Observable @MainActor
public final class ForecastMonitor {
    /// The code of the city whose weather is loaded. Bind a field to it in which the user chooses the city.
    ///
    /// With another city, the state becomes ``ForecastState/idle``; call ``load()`` to load its weather. Running loads
    /// of the previous city continue and save the fetched weather. The monitor ignores their progress and their
    /// results.
    public var city: CityCode {
        didSet { if city != oldValue { (running, appliedState, state) = ([], .idle, .idle) } }
    }

    /// The current state of the monitor.
    public private(set) var state = ForecastState.idle

    @ObservationIgnored private let forecasts: ForecastUseCase
    @ObservationIgnored private let maxAge: Duration

    /// The number of loads that have started. Each load is identified by its number, starting at 1.
    @ObservationIgnored private var started = 0
    /// The numbers of the running loads of the current city.
    @ObservationIgnored private var running: Set<Int> = []
    @ObservationIgnored private var lastApplied = 0
    /// The state that the monitor reports when no load is running.
    @ObservationIgnored private var appliedState = ForecastState.idle

    /// Creates a monitor in the state ``ForecastState/idle``.
    ///
    /// - Parameters:
    ///   - city: The code of the city whose weather is loaded.
    ///   - forecasts: The use case that reads and fetches the weather.
    ///   - maxAge: The maximum age of saved weather. Older weather is fetched again.
    public init(city: CityCode, forecasts: ForecastUseCase, maxAge: Duration) {
        self.city = city
        self.forecasts = forecasts
        self.maxAge = maxAge
    }

    /// Loads the saved weather, or fetches the weather if none is saved or if the saved weather is older than the
    /// maximum age. Afterwards, ``state`` contains the weather or the error.
    ///
    /// If the task is cancelled, ``state`` is again the result of the previous load, or ``ForecastState/idle`` if no
    /// load has had a result.
    public func load() async { await load(maxAge: maxAge) }

    /// Fetches the weather even if the saved weather is fresh. Afterwards, ``state`` contains the weather or the error.
    ///
    /// If the task is cancelled, ``state`` is again the result of the previous load, or ``ForecastState/idle`` if no
    /// load has had a result.
    public func refresh() async { await load(maxAge: .nanoseconds(-1)) }

    /// Loads the weather. A negative maximum age makes any saved weather too old.
    private func load(maxAge: Duration) async {
        started += 1
        let number = started
        running.insert(number)
        state = .loading(nil)
        do {
            // It reads and fetches on the global executor.
            let load = { @concurrent @Sendable [forecasts, city] in
                try await forecasts.forecast(city, maxAge: maxAge) { step in
                    Task { await self.report(step, of: number) }
                }
            }
            let cached = try await load()
            end(number, cached.failure.map { .stale(cached, $0) } ?? .loaded(cached))
        } catch is CancellationError {
            end(number, nil)
        } catch {
            end(number, .failed(RepositoryError(error)))
        }
    }

    private func report(_ step: FetchProgress, of number: Int) {
        guard number == running.max(), case .loading(let last) = state else { return }
        // Each progress report runs in its own task, so reports may arrive out of order.
        if let last, last.receivedByteCount > step.receivedByteCount { return }
        state = .loading(step)
    }

    /// Ends a load with its result, or with `nil` if the task was cancelled. A load of a previous city is ignored.
    private func end(_ number: Int, _ newState: ForecastState?) {
        guard running.remove(number) != nil else { return }
        if let newState, number > lastApplied || newState.isLoaded && !appliedState.isLoaded {
            lastApplied = max(lastApplied, number)
            appliedState = newState
        }
        // Show the result only after the last running load has ended.
        if running.isEmpty { state = appliedState }
    }
}

extension ForecastMonitor: nonisolated HidesEntities {}

/// The state of a ``ForecastMonitor``, which a screen displays for a city.
///
/// ```swift
/// switch monitor.state {
/// case .loaded(let weather), .stale(let weather, _): show(weather)
/// case .failed(let error): show(error)
/// case .idle, .loading: showProgress()
/// }
/// ```
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
