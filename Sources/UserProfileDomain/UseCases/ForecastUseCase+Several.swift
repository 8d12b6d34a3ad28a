extension ForecastUseCase {
    /// Fetches the weather of several cities and saves it in batches, each in one transaction.
    ///
    /// If the fetch of one city fails, the weather of the other cities is still saved. If the task is cancelled,
    /// batches that are already saved stay saved.
    ///
    /// - Parameters:
    ///   - cities: The codes of the cities. A duplicate is fetched once.
    ///   - atOnce: The maximum number of concurrent fetches. A number less than 1 is treated as 1.
    ///   - progress: A closure that receives the number of finished cities and the number of all cities, after each
    ///     city.
    ///   - warning: A closure that receives the city and the reason for each day that cannot be read and is left out.
    /// - Returns: The fetched weather of each city, or the error that ``refresh(_:progress:warning:)`` would throw.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func refresh(
        _ cities: [CityCode], atOnce: Int = 6,
        progress: @escaping @Sendable (_ doneCount: Int, _ cityCount: Int) -> Void = { _, _ in },
        warning: (CityCode, ValidationError) -> Void = { _, _ in }
    ) async throws -> [CityCode: Result<Weather, any Error>] {
        var seen: Set<CityCode> = []
        let cities = cities.filter { seen.insert($0).inserted }
        var outcomes: [CityCode: Result<Weather, any Error>] = [:]
        try await withThrowingTaskGroup(of: (CityCode, Result<DecodedWeather, any Error>).self) { group in
            var waiting = cities[...]
            func start() {
                guard let city = waiting.popFirst() else { return }
                group.addTask { (city, await self.outcome(of: city)) }
            }
            for _ in 0..<max(1, atOnce) { start() }
            var batch: [CityCode: Result<DecodedWeather, any Error>] = [:]
            while let (city, outcome) = try await group.next() {
                batch[city] = outcome
                start()
                let doneCount = outcomes.count + batch.count
                if batch.count == ForecastUseCase.batchSize || doneCount == cities.count {
                    for (city, outcome) in try await keep(batch) {
                        outcomes[city] = outcome.map(\.weather)
                        if case .success(let fetched) = outcome { fetched.warnings.forEach { warning(city, $0) } }
                    }
                    batch = [:]
                }
                progress(doneCount, cities.count)
            }
        }
        return outcomes
    }

    /// The maximum number of cities in one transaction. Batches are worthwhile because one commit costs as much as
    /// saving many cities.
    private static let batchSize = 16

    private func outcome(of city: CityCode) async -> Result<DecodedWeather, any Error> {
        do {
            return .success(try await fetched(city) { _ in })
        } catch {
            return .failure(error)
        }
    }

    /// Saves the fetched weather of a batch in one transaction.
    ///
    /// - Returns: The saved weather of each city, or the error of its fetch or of the transaction.
    private func keep(
        _ batch: [CityCode: Result<DecodedWeather, any Error>]
    ) async throws -> [CityCode: Result<DecodedWeather, any Error>] {
        try Task.checkCancellation()
        let changes = batch.compactMapValues { outcome in
            if case .success(let fetched) = outcome { keeping(fetched.weather) } else { nil }
        }
        do {
            if !changes.isEmpty {
                try await unitOfWork.perform { work in
                    let repository = try work.repository(of: Weather.self)
                    for (city, kept) in changes { try repository.save(kept(try repository.find(city))) }
                }
            }
        } catch let error as RepositoryError {
            // The transaction failed, so no weather of the batch is saved.
            return batch.mapValues { outcome in .failure(ForecastUseCase.cause(of: outcome) ?? error) }
        }
        return batch.mapValues { outcome in
            outcome.mapError { ($0 as? SourceFailure)?.cause ?? $0 }
        }
    }

    private static func cause(of outcome: Result<DecodedWeather, any Error>) -> (any Error)? {
        guard case .failure(let error) = outcome else { return nil }
        return (error as? SourceFailure)?.cause ?? error
    }
}
