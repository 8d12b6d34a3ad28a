/// An entity that is current for a limited time.
///
/// Conform a type to this protocol to compute the age of its entities and to delete expired ones with
/// ``Repository/deleteExpired(maxAge:now:)``.
package protocol Expirable {
    /// The time from which the entity's age is measured, e.g. the time of a fetch.
    var currentSince: Instant { get }
}

extension Expirable {
    /// Returns the age of the entity at a point in time. If `now` is earlier than ``currentSince``, the age is zero.
    package func age(at now: Instant) -> Duration { max(.zero, now.duration(since: currentSince)) }

    /// Returns whether the entity is at most `maxAge` old.
    ///
    /// The result is `false` if ``currentSince`` is later than `now`, e.g. after the system clock has been set back.
    package func isFresh(maxAge: Duration, at now: Instant) -> Bool {
        currentSince <= now && age(at: now) <= maxAge
    }
}

extension Repository where Entity: Expirable {
    /// Deletes the entities that are older than a maximum age, in one transaction.
    ///
    /// - Parameters:
    ///   - maxAge: The maximum age of an entity.
    ///   - now: The current time.
    /// - Returns: The number of deleted entities.
    /// - Throws: ``RepositoryError`` if the store fails, or `CancellationError` if the task is cancelled. In both cases
    ///   nothing is deleted.
    @discardableResult
    package func deleteExpired(maxAge: Duration, now: Instant) async throws -> Int {
        try await deleteAll { $0.age(at: now) > maxAge }
    }
}

extension Weather: Expirable {
    /// The time at which the weather was fetched, or its time of publication if it was not fetched.
    package var currentSince: Instant { receipt?.fetchedAt ?? publishedAt }
}
