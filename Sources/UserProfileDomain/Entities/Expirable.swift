/// A value that is current for a limited time. Conform to it so that callers can check the age and delete expired
/// entities.
package protocol Expirable {
    /// The time from which the age is measured.
    var currentSince: Instant { get }
}

extension Expirable {
    /// Returns the age at a point in time. It is never negative: if the clock was set back, the age is zero.
    package func age(at now: Instant) -> Duration { max(.zero, now.duration(since: currentSince)) }

    /// Returns whether the value is at most `maxAge` old. A value from the future is not fresh, because its age is
    /// unknown.
    package func isFresh(maxAge: Duration, at now: Instant) -> Bool {
        currentSince <= now && age(at: now) <= maxAge
    }
}

extension Repository where Entity: Expirable {
    /// Deletes the entities that are older than an age, in one transaction.
    ///
    /// - Parameters:
    ///   - maxAge: The maximum age of an entity.
    ///   - now: The current time.
    /// - Returns: The number of deleted entities.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    @discardableResult
    package func deleteExpired(maxAge: Duration, now: Instant) async throws -> Int {
        try await deleteAll { $0.age(at: now) > maxAge }
    }
}

extension Weather: Expirable {
    /// The time at which the weather was fetched, or its time of publication if it was not fetched.
    package var currentSince: Instant { receipt?.fetchedAt ?? publishedAt }
}
