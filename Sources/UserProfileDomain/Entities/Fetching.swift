/// The time at which a document was fetched from a weather service, and the version of that document.
///
/// ```swift
/// if let fetchedAt = weather.receipt?.fetchedAt { print("as of \(fetchedAt)") }
/// ```
public struct FetchReceipt: Hashable, Sendable {
    /// The time at which the response arrived.
    public let fetchedAt: Instant

    /// The version of the fetched document, or `nil` if the service does not report one.
    package let version: FetchedVersion?

    /// Creates a receipt.
    ///
    /// - Parameters:
    ///   - fetchedAt: The time at which the response arrived.
    ///   - version: The version of the fetched document, or `nil` if the service does not report one.
    package init(fetchedAt: Instant, version: FetchedVersion? = nil) {
        self.fetchedAt = fetchedAt
        self.version = version
    }
}

/// The HTTP validators of a fetched document (RFC 9110, section 8.8).
///
/// ```swift
/// request.headers["If-None-Match"] = version.entityTag
/// ```
///
/// A ``ForecastSource`` sends them with the next request for the document. The service then transfers the document only
/// if it has changed.
public struct FetchedVersion: Hashable, Sendable {
    /// The URL of the document. The validators apply to this URL only.
    public let address: String

    /// The `ETag` of the document exactly as the service sent it, or `nil` if the response had none.
    public let entityTag: String?

    /// The `Last-Modified` date exactly as the service sent it, or `nil` if the response had none.
    public let lastModified: String?

    /// Creates a version, or returns `nil` if the service sent neither validator.
    ///
    /// - Parameters:
    ///   - address: The URL of the document.
    ///   - entityTag: The `ETag` exactly as the service sent it, or `nil` if the response had none.
    ///   - lastModified: The `Last-Modified` date exactly as the service sent it, or `nil` if the response had none.
    public init?(address: String, entityTag: String?, lastModified: String?) {
        guard entityTag != nil || lastModified != nil else { return nil }
        self.address = address
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}

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
