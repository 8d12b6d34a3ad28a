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

extension Weather {
    /// The time at which the weather was fetched, or its time of publication if it was not fetched.
    private var currentSince: Instant { receipt?.fetchedAt ?? publishedAt }

    /// Returns the age of the weather at a point in time. If `now` is earlier than the fetch, the age is zero.
    package func age(at now: Instant) -> Duration { max(.zero, now.duration(since: currentSince)) }

    /// Returns whether the weather is at most `maxAge` old.
    ///
    /// The result is `false` if the weather was fetched later than `now`, e.g. after the system clock was set back.
    func isFresh(maxAge: Duration, at now: Instant) -> Bool { currentSince <= now && age(at: now) <= maxAge }
}
