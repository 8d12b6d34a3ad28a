/// A monitor that loads the weather of one city and reports its state to a screen. Create one for each screen that
/// shows a city.
///
/// ```swift
/// let monitor = ForecastMonitor(city: tokyo, forecasts: storage.forecasts, maxAge: .seconds(3600))
/// Task { await monitor.load() }
/// for await state in await monitor.states() { show(state) }
/// ```
///
/// If several loads overlap, the monitor reports the result of the load that started last. There is one exception: if
/// that load ends with ``ForecastState/failed(_:)`` or ``ForecastState/stale(_:_:)``, and an earlier load then ends
/// with ``ForecastState/loaded(_:)``, the monitor reports the loaded weather.
///
/// To bind a field in which the user chooses the city, call ``setCity(_:)`` when the field changes, and update the
/// field for each element of ``cities()``.
public actor ForecastMonitor: HidesEntities {
    /// The code of the city whose weather is loaded.
    public private(set) var city: CityCode

    private let forecasts: ForecastUseCase
    private let maxAge: Duration
    private var observers: [Int: AsyncStream<ForecastState>.Continuation] = [:]
    private var cityObservers: [Int: AsyncStream<CityCode>.Continuation] = [:]
    private var lastObserver = 0

    /// The number of loads that have started. Each load is identified by its number, starting at 1.
    private var started = 0
    /// The numbers of the running loads of the current city.
    private var running: Set<Int> = []
    private var lastApplied = 0
    /// The state that the monitor reports when no load is running.
    private var appliedState = ForecastState.idle

    /// The current state of the monitor.
    public private(set) var state = ForecastState.idle

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

    deinit {
        for observer in observers.values { observer.finish() }
        for observer in cityObservers.values { observer.finish() }
    }

    /// Changes the city. The state becomes ``ForecastState/idle``; call ``load()`` to load the weather of the new city.
    ///
    /// Running loads of the previous city continue and save the fetched weather. The monitor ignores their progress and
    /// their results. Setting the current city again has no effect.
    ///
    /// - Parameter newCity: The code of the new city.
    public func setCity(_ newCity: CityCode) {
        guard newCity != city else { return }
        city = newCity
        running = []
        appliedState = .idle
        for observer in cityObservers.values { observer.yield(newCity) }
        show(.idle)
    }

    /// Returns a sequence of the current city and each new city. A slow consumer receives the newest city and may miss
    /// intermediate ones.
    public func cities() -> AsyncStream<CityCode> {
        stream(from: city, to: &cityObservers)
    }

    /// Returns a sequence of the current state and each new state. A slow consumer receives the newest state and may
    /// miss intermediate ones.
    public func states() -> AsyncStream<ForecastState> {
        stream(from: state, to: &observers)
    }

    private func stream<Element: Sendable>(
        from first: Element, to observers: inout [Int: AsyncStream<Element>.Continuation]
    ) -> AsyncStream<Element> {
        let (stream, observer) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(1))
        lastObserver += 1
        let number = lastObserver
        observers[number] = observer
        observer.onTermination = { [weak self] _ in Task { await self?.remove(number) } }
        observer.yield(first)
        return stream
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
    public func refresh() async { await load(maxAge: nil) }

    private func load(maxAge: Duration?) async {
        started += 1
        let number = started
        running.insert(number)
        show(.loading(nil))
        do {
            // A negative maximum age makes any saved weather too old.
            let cached = try await forecasts.forecast(city, maxAge: maxAge ?? .nanoseconds(-1)) { step in
                Task { await self.report(step, of: number) }
            }
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
        show(.loading(step))
    }

    /// Ends a load with its result, or with `nil` if the task was cancelled. A load of a previous city is ignored.
    private func end(_ number: Int, _ newState: ForecastState?) {
        guard running.remove(number) != nil else { return }
        if let newState, number > lastApplied || newState.isLoaded && !appliedState.isLoaded {
            lastApplied = max(lastApplied, number)
            appliedState = newState
        }
        // Show the result only after the last running load has ended.
        if running.isEmpty { show(appliedState) }
    }

    private func show(_ newState: ForecastState) {
        state = newState
        for observer in observers.values { observer.yield(newState) }
    }

    private func remove(_ number: Int) {
        observers[number] = nil
        cityObservers[number] = nil
    }
}

/// The state of a ``ForecastMonitor``, which a screen displays for a city.
///
/// ```swift
/// switch await monitor.state {
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
