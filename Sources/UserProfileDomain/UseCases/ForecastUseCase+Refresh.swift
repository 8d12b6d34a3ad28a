extension ForecastUseCase {
    /// Fetches the weather of a city and saves it in place of what was there.
    ///
    /// Several refreshes of a city at once make one request. A city that the source does not know any more has no
    /// weather afterwards; after every other failure what was saved is still there.
    ///
    /// - Parameters:
    ///   - city: the city.
    ///   - progress: is told, on any thread, how much has arrived.
    /// - Returns: what was saved.
    /// - Throws: ``RepositoryError`` as the source or the repository says, or ``ValidationError`` where the source
    ///   cannot be asked for the city; `CancellationError`, and then nothing is changed.
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

    /// The weather of a city that is no older than an age: the saved one, or else a new one, or else, where the source
    /// gives none, the saved one with its age.
    ///
    /// - Parameters:
    ///   - city: the city.
    ///   - maxAge: the age that the saved one may have.
    ///   - progress: is told, on any thread, how much of a new one has arrived.
    /// - Returns: the weather and its age.
    /// - Throws: like ``refresh(_:progress:)``; where there is a saved one and the source knows the city, no failure of
    ///   the source, which ``AgedWeather/failure`` has.
    public func forecast(
        _ city: CityCode, maxAge: Duration, progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
    ) async throws -> AgedWeather {
        let saved = try await weather(of: city)
        if let saved, saved.isFresh(maxAge: maxAge, at: now()) {
            return AgedWeather(weather: saved, age: saved.age(at: now()))
        }
        do {
            let weather = try await refreshed(city, progress)
            return AgedWeather(weather: weather, age: weather.age(at: now()))
        } catch let failure as SourceFailure {
            guard let saved, let cause = failure.cause as? RepositoryError, cause.code != .notFound else {
                throw failure.cause
            }
            return AgedWeather(weather: saved, age: saved.age(at: now()), failure: cause)
        }
    }

    /// Deletes the weather that is older than an age, of all cities at once.
    ///
    /// - Parameter maxAge: the age that weather may have.
    /// - Returns: of how many cities it was.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    @discardableResult
    public func removeExpired(maxAge: Duration) async throws -> Int {
        try await repository.deleteExpired(maxAge: maxAge, now: now())
    }

    /// How many refreshes of a city wait for an answer.
    package func waiterCount(_ city: CityCode) async -> Int { await fetches.waiterCount(city) }

    // MARK: Fetching and keeping

    /// What the source threw, told from what the repository threw.
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

    /// What is to be saved where something is: what was fetched, unless a fetch that ended later was faster to save.
    func keeping(_ weather: Weather) -> @Sendable (Weather?) -> Weather {
        let now = now()
        return { saved in
            guard let saved, let other = saved.receipt?.fetchedAt, let own = weather.receipt?.fetchedAt, own < other,
                other <= now
            else { return weather }
            return saved
        }
    }

    /// The weather of a city as the source has it, by one request for all who ask at once. Nothing is saved.
    func fetched(
        _ city: CityCode, _ progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> Weather {
        try await fetches.weather(of: city, progress: progress) { [repository, source, now] report in
            let saved = try await repository.find(city)
            do {
                let version = saved?.receipt?.version
                var answer = try await source.fetch(city, unlessStill: version, progress: report)
                if case .unchanged = answer, saved == nil {
                    answer = try await source.fetch(city, unlessStill: nil, progress: report)
                }
                switch answer {
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
