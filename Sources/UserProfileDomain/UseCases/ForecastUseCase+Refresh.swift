extension ForecastUseCase {
    /// Fetches the weather of a city, saves it and replaces the previous one.
    ///
    /// Concurrent refreshes of a city share one request. If the source does not know the city, the saved weather is
    /// deleted. After any other failure the saved weather is unchanged.
    ///
    /// - Parameters:
    ///   - city: The city.
    ///   - progress: Receives the progress, on any thread.
    /// - Returns: The fetched weather.
    /// - Throws: ``RepositoryError`` from the source or the repository, or ``ValidationError`` if the source cannot
    ///   form a request for the city; `CancellationError`, and then nothing is changed.
    @discardableResult
    public func refresh(
        _ city: CityCode, progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
    ) async throws -> Weather {
        do {
            return try await refreshed(city, progress)
        } catch let failure as SourceFailure {
            throw failure.cause
        }
    }

    /// Returns the weather of a city up to a maximum age. If the saved weather is older, a new one is fetched. If the
    /// fetch fails, the older weather is returned with its age and the error.
    ///
    /// - Parameters:
    ///   - city: The city.
    ///   - maxAge: The maximum age of saved weather.
    ///   - progress: Receives the progress of a fetch, on any thread.
    /// - Returns: The weather and its age.
    /// - Throws: The errors of ``refresh(_:progress:)``. If weather is saved and the source knows the city, a
    ///   ``RepositoryError`` of the source is not thrown but returned as ``CachedWeather/failure``.
    public func forecast(
        _ city: CityCode, maxAge: Duration, progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
    ) async throws -> CachedWeather {
        let saved = try await repository.find(city)
        if let saved, saved.isFresh(maxAge: maxAge, at: now()) {
            return CachedWeather(weather: saved, age: saved.age(at: now()))
        }
        do {
            let weather = try await refreshed(city, progress)
            return CachedWeather(weather: weather, age: weather.age(at: now()))
        } catch let failure as SourceFailure {
            guard let saved, let cause = failure.cause as? RepositoryError, cause.code != .notFound else {
                throw failure.cause
            }
            return CachedWeather(weather: saved, age: saved.age(at: now()), failure: cause)
        }
    }

    /// Deletes the weather of all cities that is older than an age, in one transaction.
    ///
    /// - Parameter maxAge: The maximum age of saved weather.
    /// - Returns: The number of cities whose weather was deleted.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    @discardableResult
    public func removeExpired(maxAge: Duration) async throws -> Int {
        try await repository.deleteExpired(maxAge: maxAge, now: now())
    }

    /// Returns the number of refreshes that wait for the fetch of a city.
    package func waiterCount(_ city: CityCode) async -> Int { await fetches.waiterCount(city) }

    // MARK: Fetching and saving

    /// An error of the source, as opposed to an error of the repository.
    struct SourceFailure: Error {
        let cause: any Error
    }

    private func refreshed(
        _ city: CityCode, _ progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> Weather {
        let weather: Weather
        do {
            weather = try await fetched(city, progress)
        } catch let failure as SourceFailure {
            if ForecastUseCase.isUnknownCity(failure) { try await repository.delete(city) }
            throw failure
        }
        let kept = keeping(weather)
        try await repository.update(city) { saved in saved = kept(saved) }
        return weather
    }

    static func isUnknownCity(_ failure: SourceFailure) -> Bool {
        (failure.cause as? RepositoryError)?.code == .notFound
    }

    /// Returns a function that receives the saved weather and returns the weather to save. That is the fetched weather,
    /// unless the saved one was fetched later and not in the future.
    func keeping(_ weather: Weather) -> @Sendable (Weather?) -> Weather {
        let now = now()
        return { saved in
            guard let saved, let other = saved.receipt?.fetchedAt, let own = weather.receipt?.fetchedAt, own < other,
                other <= now
            else { return weather }
            return saved
        }
    }

    /// Fetches the weather of a city without saving it. Concurrent callers share one request.
    func fetched(
        _ city: CityCode, _ progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> Weather {
        try await fetches.weather(of: city, progress: progress) { [repository, source, now] report in
            let saved = try await repository.find(city)
            do {
                let version = saved?.receipt?.version
                var response = try await source.fetch(city, unlessStill: version, progress: report)
                if case .unchanged = response, saved == nil {
                    response = try await source.fetch(city, unlessStill: nil, progress: report)
                }
                switch response {
                case .new(var weather, let version):
                    weather.receipt = FetchReceipt(fetchedAt: now(), version: version)
                    return weather
                case .unchanged:
                    guard var weather = saved else {
                        throw RepositoryError(
                            .unexpected,
                            message: "the source says that the weather of \(city) is as it was, which nobody has")
                    }
                    weather.receipt = FetchReceipt(fetchedAt: now(), version: version)
                    return weather
                }
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                throw SourceFailure(cause: error)
            }
        }
    }
}
