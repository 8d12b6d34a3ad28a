import Synchronization

/// The running fetches of weather, at most one for each city. Concurrent callers for a city share its fetch and the
/// result.
///
/// A caller whose task is cancelled stops waiting. When the last caller has stopped waiting, the fetch is cancelled.
final class SharedFetches: Sendable {
    /// The weather, or the error of the source. Any other error is thrown.
    typealias Outcome = Result<DecodedWeather, any Error>
    typealias Progress = @Sendable (FetchProgress) -> Void
    typealias Fetch = @Sendable (@escaping Progress) async throws -> Outcome

    private typealias Waiter = (continuation: CheckedContinuation<Outcome, any Error>, progress: Progress)

    private typealias RunningFetch = (number: Int, task: Task<Void, Never>, waiters: [Int: Waiter])

    private let runningFetches = Mutex<[CityCode: RunningFetch]>([:])
    private let lastNumber = Atomic(0)

    /// Returns the outcome of the running fetch of a city. If no fetch is running, this function starts one.
    func weather(of city: CityCode, progress: @escaping Progress, fetch: @escaping Fetch) async throws -> Outcome {
        let number = nextNumber()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                runningFetches.withLock { fetches in
                    fetches[city, default: start(fetch, of: city)].waiters[number] = (continuation, progress)
                }
                // If the task was cancelled before, the handler found no waiter.
                if Task.isCancelled { stopWaiting(city, number) }
            }
        } onCancel: {
            stopWaiting(city, number)
        }
    }

    /// Returns the number of callers that wait for the fetch of a city.
    func waiterCount(_ city: CityCode) -> Int { runningFetches.withLock { $0[city]?.waiters.count ?? 0 } }

    private func nextNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

    private func start(_ fetch: @escaping Fetch, of city: CityCode) -> RunningFetch {
        let number = nextNumber()
        let task = Task { @concurrent in
            self.finish(city, number, await Result { try await fetch { self.report($0, of: city, number) } })
        }
        return (number, task, [:])
    }

    private func report(_ step: FetchProgress, of city: CityCode, _ number: Int) {
        let fetch = runningFetches.withLock { $0[city] }
        guard let fetch, fetch.number == number else { return }
        for waiter in fetch.waiters.values { waiter.progress(step) }
    }

    private func finish(_ city: CityCode, _ number: Int, _ result: Result<Outcome, any Error>) {
        let fetch = runningFetches.withLock { $0[city]?.number == number ? $0.removeValue(forKey: city) : nil }
        for waiter in (fetch?.waiters ?? [:]).values { waiter.continuation.resume(with: result) }
    }

    private func stopWaiting(_ city: CityCode, _ number: Int) {
        let (waiter, abandoned): (Waiter?, RunningFetch?) = runningFetches.withLock { fetches in
            let waiter = fetches[city]?.waiters.removeValue(forKey: number)
            let isAbandoned = waiter != nil && fetches[city]?.waiters.isEmpty == true
            return (waiter, isAbandoned ? fetches.removeValue(forKey: city) : nil)
        }
        waiter?.continuation.resume(throwing: CancellationError())
        abandoned?.task.cancel()
    }
}

extension Result where Failure == any Error {
    /// Calls a closure, and catches its error.
    init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
