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

    /// The numbers of loads count from 1: the last one, those under way, and that whose end is shown.
    private var started = 0
    private var running: Set<Int> = []
    private var settled = 0
    /// What is shown while nothing is loading.
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

    /// Shows the saved weather where it is new enough, else fetches it. Where the task is cancelled, what was shown
    /// before is shown again.
    public func load() async { await load(maxAge: maxAge) }

    /// Fetches the weather, however new the saved one is.
    public func refresh() async { await load(maxAge: nil) }

    private func load(maxAge: Duration?) async {
        started += 1
        let number = started
        running.insert(number)
        show(.loading(nil))
        do {
            // Negative: no saved one is new enough.
            let aged = try await forecasts.forecast(city, maxAge: maxAge ?? .nanoseconds(-1)) { step in
                Task { await self.report(step, of: number) }
            }
            end(number, aged.failure.map { .stale(aged, $0) } ?? .loaded(aged))
        } catch is CancellationError {
            end(number, nil)
        } catch let error as RepositoryError {
            end(number, .failed(error))
        } catch {
            end(number, .failed(RepositoryError(.unexpected, message: "\(error)", underlying: error)))
        }
    }

    private func report(_ step: FetchProgress, of number: Int) {
        guard number == running.max(), case .loading(let shown) = state else { return }
        // Told by tasks, which may overtake each other.
        if let shown, shown.receivedByteCount > step.receivedByteCount { return }
        show(.loading(step))
    }

    /// A load has ended: in a state, or without one where it was cancelled.
    private func end(_ number: Int, _ newState: ForecastState?) {
        running.remove(number)
        if let newState, number > settled || newState.isLoaded && !settledState.isLoaded {
            settled = max(settled, number)
            settledState = newState
        }
        // Others go on.
        if running.isEmpty { show(settledState) }
    }

    private func show(_ newState: ForecastState) {
        state = newState
        for observer in observers.values { observer.yield(newState) }
    }

    private func remove(_ number: Int) { observers[number] = nil }
}
