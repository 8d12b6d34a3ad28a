/// The running fetches, one for each city. Concurrent callers for a city share its fetch and its result.
///
/// A caller whose task is cancelled stops waiting. When the last caller has stopped, the fetch is cancelled.
actor SharedFetches {
    typealias Progress = @Sendable (FetchProgress) -> Void
    typealias Fetch = @Sendable (@escaping Progress) async throws -> Weather

    private struct Waiter {
        let continuation: CheckedContinuation<Weather, any Error>
        let progress: Progress
    }

    private struct Flight {
        let number: Int
        let task: Task<Void, Never>
        var waiters: [Int: Waiter]
    }

    private var flights: [CityCode: Flight] = [:]
    private var lastNumber = 0

    /// Returns the weather of a city from the running fetch, or from a new one if none is running.
    func weather(
        of city: CityCode, progress: @escaping Progress, fetch: @escaping Fetch
    ) async throws -> Weather {
        let number = nextNumber()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter(continuation: continuation, progress: progress)
                if flights[city] == nil { flights[city] = flight(to: city, fetch) }
                flights[city]?.waiters[number] = waiter
            }
        } onCancel: {
            Task { await self.leave(city, number) }
        }
    }

    /// Returns the number of callers that wait for a city.
    func waiterCount(_ city: CityCode) -> Int { flights[city]?.waiters.count ?? 0 }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private func flight(to city: CityCode, _ fetch: @escaping Fetch) -> Flight {
        let number = nextNumber()
        let task = Task { @concurrent in
            let (steps, feed) = AsyncStream.makeStream(of: FetchProgress.self, bufferingPolicy: .bufferingNewest(1))
            async let reported: Void = self.report(steps, of: city, number)
            let result: Result<Weather, any Error>
            do {
                result = .success(try await fetch { feed.yield($0) })
            } catch {
                result = .failure(error)
            }
            feed.finish()
            await reported
            await self.land(city, number, result)
        }
        return Flight(number: number, task: task, waiters: [:])
    }

    private func report(_ steps: AsyncStream<FetchProgress>, of city: CityCode, _ number: Int) async {
        for await step in steps {
            guard let flight = flights[city], flight.number == number else { continue }
            for waiter in flight.waiters.values { waiter.progress(step) }
        }
    }

    private func land(_ city: CityCode, _ number: Int, _ result: Result<Weather, any Error>) {
        guard let flight = flights[city], flight.number == number else { return }
        flights[city] = nil
        for waiter in flight.waiters.values { waiter.continuation.resume(with: result) }
    }

    private func leave(_ city: CityCode, _ number: Int) {
        guard let waiter = flights[city]?.waiters.removeValue(forKey: number) else { return }
        waiter.continuation.resume(throwing: CancellationError())
        if let flight = flights[city], flight.waiters.isEmpty {
            flight.task.cancel()
            flights[city] = nil
        }
    }
}
