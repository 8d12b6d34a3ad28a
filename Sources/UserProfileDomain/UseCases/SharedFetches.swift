/// The running fetches of weather, at most one for each city. Concurrent callers for a city share its fetch and the
/// result.
///
/// A caller whose task is cancelled stops waiting. When the last caller has stopped waiting, the fetch is cancelled.
actor SharedFetches {
    /// The weather, or the error of the source. Any other error is thrown.
    typealias Outcome = Result<DecodedWeather, any Error>
    typealias Progress = @Sendable (FetchProgress) -> Void
    typealias Fetch = @Sendable (@escaping Progress) async throws -> Outcome

    private typealias Waiter = (continuation: CheckedContinuation<Outcome, any Error>, progress: Progress)

    private typealias RunningFetch = (number: Int, task: Task<Void, Never>, waiters: [Int: Waiter])

    private var runningFetches: [CityCode: RunningFetch] = [:]
    private var lastNumber = 0

    /// Returns the outcome of the running fetch of a city. If no fetch is running, this function starts one.
    func weather(of city: CityCode, progress: @escaping Progress, fetch: @escaping Fetch) async throws -> Outcome {
        let number = nextNumber()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if runningFetches[city] == nil { runningFetches[city] = start(fetch, of: city) }
                runningFetches[city]?.waiters[number] = (continuation, progress)
            }
        } onCancel: {
            Task { await self.stopWaiting(city, number) }
        }
    }

    /// Returns the number of callers that wait for the fetch of a city.
    func waiterCount(_ city: CityCode) -> Int { runningFetches[city]?.waiters.count ?? 0 }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private func start(_ fetch: @escaping Fetch, of city: CityCode) -> RunningFetch {
        let number = nextNumber()
        let task = Task { @concurrent in
            let (steps, feed) = AsyncStream.makeStream(of: FetchProgress.self, bufferingPolicy: .bufferingNewest(1))
            async let reported: Void = self.report(steps, of: city, number)
            let result: Result<Outcome, any Error>
            do {
                result = .success(try await fetch { feed.yield($0) })
            } catch {
                result = .failure(error)
            }
            feed.finish()
            await reported
            await self.finish(city, number, result)
        }
        return (number, task, [:])
    }

    private func report(_ steps: AsyncStream<FetchProgress>, of city: CityCode, _ number: Int) async {
        for await step in steps {
            guard let runningFetch = runningFetches[city], runningFetch.number == number else { continue }
            for waiter in runningFetch.waiters.values { waiter.progress(step) }
        }
    }

    private func finish(_ city: CityCode, _ number: Int, _ result: Result<Outcome, any Error>) {
        guard let runningFetch = runningFetches[city], runningFetch.number == number else { return }
        runningFetches[city] = nil
        for waiter in runningFetch.waiters.values { waiter.continuation.resume(with: result) }
    }

    private func stopWaiting(_ city: CityCode, _ number: Int) {
        guard let waiter = runningFetches[city]?.waiters.removeValue(forKey: number) else { return }
        waiter.continuation.resume(throwing: CancellationError())
        if let runningFetch = runningFetches[city], runningFetch.waiters.isEmpty {
            runningFetch.task.cancel()
            runningFetches[city] = nil
        }
    }
}
