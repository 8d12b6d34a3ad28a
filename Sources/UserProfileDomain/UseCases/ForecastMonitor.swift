/// The weather of a city as a screen shows it: its state now, and each one after it.
///
/// ```swift
/// let monitor = ForecastMonitor(city: tokyo, forecasts: storage.forecasts, maxAge: .seconds(3600))
/// Task { await monitor.load() }
/// for await state in await monitor.states() { show(state) }
/// ```
///
/// A success takes the place of a failure, and a failure never that of the success of a load that was started later.
public actor ForecastMonitor {
    /// The city.
    public let city: CityCode

    private let forecasts: ForecastUseCase
    private let maxAge: Duration
    private var observers: [Int: AsyncStream<ForecastState>.Continuation] = [:]
    private var lastObserver = 0

    /// The number of the load that was started last, and of that whose end is shown.
    private var (started, settled) = (0, 0)
    /// What was shown before anything was loading.
    private var settledState = ForecastState.idle

    /// The state now.
    public private(set) var state = ForecastState.idle

    /// Shows the weather of a city.
    ///
    /// - Parameters:
    ///   - city: the city.
    ///   - forecasts: reads and fetches it.
    ///   - maxAge: the age up to which a saved one is shown without fetching.
    public init(city: CityCode, forecasts: ForecastUseCase, maxAge: Duration) {
        self.city = city
        self.forecasts = forecasts
        self.maxAge = maxAge
    }

    deinit { for observer in observers.values { observer.finish() } }

    /// The state now and each one after it. Who is slow gets the newest and may miss some in between.
    public func states() -> AsyncStream<ForecastState> {
        let (states, observer) = AsyncStream.makeStream(of: ForecastState.self, bufferingPolicy: .bufferingNewest(1))
        lastObserver += 1
        let number = lastObserver
        observers[number] = observer
        observer.onTermination = { [weak self] _ in Task { await self?.remove(number) } }
        observer.yield(state)
        return states
    }

    /// Shows the saved weather where it is new enough, else fetches it. Where the task is cancelled, what was shown before is
    /// shown again.
    public func load() async { await load(maxAge: maxAge) }

    /// Fetches the weather, however new the saved one is.
    public func refresh() async { await load(maxAge: nil) }

    private func load(maxAge: Duration?) async {
        started += 1
        let number = started
        show(.loading(nil))
        do {
            // Negative: no saved one is new enough.
            let aged = try await forecasts.forecast(city, maxAge: maxAge ?? .nanoseconds(-1)) { step in
                Task { await self.report(step, of: number) }
            }
            settle(number, aged.failure.map { .stale(aged, $0) } ?? .loaded(aged), isSuccess: !aged.isStale)
        } catch is CancellationError {
            if number == started { show(settledState) }
        } catch let error as RepositoryError {
            settle(number, .failed(error), isSuccess: false)
        } catch {
            settle(
                number, .failed(RepositoryError(.unexpected, message: "\(error)", underlying: error)), isSuccess: false)
        }
    }

    private func report(_ step: FetchProgress, of number: Int) {
        guard number == started, number > settled, case .loading(let shown) = state else { return }
        // Told by tasks, which may overtake each other.
        if let shown, shown.receivedByteCount > step.receivedByteCount { return }
        show(.loading(step))
    }

    private func settle(_ number: Int, _ newState: ForecastState, isSuccess: Bool) {
        guard isSuccess || number > settled else { return }
        settled = max(settled, number)
        settledState = newState
        // A load that was started later goes on.
        if number == started || settled == started { show(newState) }
    }

    private func show(_ newState: ForecastState) {
        state = newState
        for observer in observers.values { observer.yield(newState) }
    }

    private func remove(_ number: Int) { observers[number] = nil }
}
