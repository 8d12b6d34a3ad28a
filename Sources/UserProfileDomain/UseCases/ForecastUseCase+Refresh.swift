extension ForecastUseCase {
    /// Fetches the weather of a city and saves it in place of the previous weather.
    ///
    /// Concurrent refreshes of a city share one request. After a failure the saved weather is unchanged.
    ///
    /// - Parameters:
    ///   - city: The code of the city.
    ///   - progress: A closure that receives the progress, on any thread.
    ///   - warning: A closure that receives the reason for each day that cannot be read and is left out.
    /// - Returns: The fetched weather.
    /// - Throws: ``RepositoryError`` if the source or the repository fails. ``ValidationError`` if the source cannot
    ///   form a request for the city. `CancellationError` if the task is cancelled.
    @discardableResult
    public func refresh(
        _ city: CityCode, progress: @escaping @Sendable (FetchProgress) -> Void = { _ in },
        warning: (ValidationError) -> Void = { _ in }
    ) async throws -> Weather {
        let fetched = try await refreshed(city, progress).get()
        fetched.warnings.forEach(warning)
        return fetched.weather
    }

    /// Returns the saved weather of a city if it is fresh. Otherwise fetches the weather and saves it.
    ///
    /// Saved weather is fresh if its age is at most `maxAge` and the time from which its age is measured is not in the
    /// future. If the fetch fails, the saved weather is returned together with the error. If no weather is saved, the
    /// error is thrown.
    ///
    /// - Parameters:
    ///   - city: The code of the city.
    ///   - maxAge: The maximum age of saved weather.
    ///   - progress: A closure that receives the progress of a fetch, on any thread.
    /// - Returns: The weather and its age. If the fetch failed, ``CachedWeather/failure`` is the error.
    /// - Throws: The errors of ``refresh(_:progress:warning:)``, except an error of the source if weather is saved.
    public func forecast(
        _ city: CityCode, maxAge: Duration, progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
    ) async throws -> CachedWeather {
        let saved = try await repository.find(city)
        if let saved, saved.isFresh(maxAge: maxAge, at: now()) { return CachedWeather(saved, at: now()) }
        switch try await refreshed(city, progress) {
        case .success(let fetched):
            return CachedWeather(fetched.weather, at: now(), warnings: fetched.warnings)
        case .failure(let error):
            guard let saved else { throw error }
            return CachedWeather(saved, at: now(), failure: RepositoryError(error))
        }
    }

    /// Deletes all saved weather that is older than a maximum age, in one transaction.
    ///
    /// - Parameter maxAge: The maximum age of saved weather.
    /// - Returns: The number of cities whose weather was deleted.
    /// - Throws: ``RepositoryError`` if the store fails, or `CancellationError` if the task is cancelled. In both cases
    ///   nothing is deleted.
    @discardableResult
    public func removeExpired(maxAge: Duration) async throws -> Int {
        let now = now()
        return try await repository.deleteAll { $0.age(at: now) > maxAge }
    }

    /// Returns the number of callers that wait for the running fetch of a city. Tests use it.
    package func waiterCount(_ city: CityCode) -> Int { fetches.waiterCount(city) }

    // MARK: Fetching and saving

    /// Fetches and saves the weather of a city. Returns an error of the source, and throws an error of the repository.
    func refreshed(
        _ city: CityCode, _ progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> SharedFetches.Outcome {
        let outcome = try await fetched(city, progress)
        guard case .success(let fetched) = outcome else { return outcome }
        let (weather, now) = (fetched.weather, now())
        try await repository.update(city) { saved in
            // Weather that was fetched later, e.g. by another process, is kept, unless its time is in the future.
            if let other = saved?.receipt?.fetchedAt, let own = weather.receipt?.fetchedAt, own < other, other <= now {
                return
            }
            saved = weather
        }
        return outcome
    }

    /// Fetches the weather of a city without saving it. Concurrent callers share one request.
    private func fetched(
        _ city: CityCode, _ progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> SharedFetches.Outcome {
        try await fetches.weather(of: city, progress: progress) { [repository, source, now] report in
            let saved = try await repository.find(city)
            do {
                guard let source else {
                    throw RepositoryError(
                        .programmingError,
                        message: "could not fetch the weather of \(city): the storage has no source; open it with a "
                            + "ForecastSource")
                }
                let version = saved?.receipt?.version
                switch try await source.fetch(city, unlessStill: version, progress: report) {
                case .new(var weather, let version, let warnings):
                    // The version of an incomplete document is not saved, so that each fetch reports the warnings.
                    weather.receipt = FetchReceipt(fetchedAt: now(), version: warnings.isEmpty ? version : nil)
                    return .success(DecodedWeather(weather: weather, warnings: warnings))
                case .unchanged:
                    guard var weather = saved else {
                        throw RepositoryError(
                            .unexpected,
                            message: "the source reported the weather of \(city) as unchanged, but no weather is saved")
                    }
                    weather.receipt = FetchReceipt(fetchedAt: now(), version: version)
                    return .success(DecodedWeather(weather: weather))
                }
            } catch let error where !(error is CancellationError) {
                return .failure(error)
            }
        }
    }
}
