/// What is true for a while only: a program keeps it until it is too old.
package protocol Aging {
    /// From when its age counts.
    var currentSince: Instant { get }
}

extension Aging {
    /// How old it is; never negative, also where it is from the future by a clock that was set back since.
    package func age(at now: Instant) -> Duration { max(.zero, now.duration(since: currentSince)) }

    /// Whether it is no older than an age. What is from the future is not: nobody knows how old it is.
    package func isFresh(maxAge: Duration, at now: Instant) -> Bool {
        currentSince <= now && age(at: now) <= maxAge
    }
}

extension Repository where Entity: Aging {
    /// Deletes the entities that are older than an age, all at once.
    ///
    /// - Parameters:
    ///   - maxAge: the age that entities may have.
    ///   - now: the present.
    /// - Returns: how many there were.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    @discardableResult
    package func deleteExpired(maxAge: Duration, now: Instant) async throws -> Int {
        try await deleteAll { $0.age(at: now) > maxAge }
    }
}

extension Weather: Aging {
    /// When it was fetched, or else when it was published.
    package var currentSince: Instant { receipt?.fetchedAt ?? publishedAt }
}
