/// The time of a fetch from a service, and the version of the document that was fetched.
public struct FetchReceipt: Hashable, Sendable {
    /// The time of the response.
    public let fetchedAt: Instant

    /// The version of the document, or `nil` if the service does not report one.
    public let version: FetchedVersion?

    /// Creates a receipt.
    ///
    /// - Parameters:
    ///   - fetchedAt: The time of the response.
    ///   - version: The version of the document, or `nil` if the service does not report one.
    package init(fetchedAt: Instant, version: FetchedVersion? = nil) {
        self.fetchedAt = fetchedAt
        self.version = version
    }
}

/// The validators of a fetched document (RFC 9110, section 8.8). Send them with the next request, so that the service
/// transfers the document only if it has changed.
public struct FetchedVersion: Hashable, Sendable {
    /// The address of the document. The validators apply to this address only.
    public let address: String

    /// The entity tag exactly as the service sent it, or `nil`.
    public let entityTag: String?

    /// The date of the last change exactly as the service sent it, or `nil`.
    public let lastModified: String?

    /// Creates a version, or returns `nil` if the service sent neither validator.
    ///
    /// - Parameters:
    ///   - address: The address of the document.
    ///   - entityTag: The entity tag exactly as the service sent it.
    ///   - lastModified: The date of the last change exactly as the service sent it.
    public init?(address: String, entityTag: String?, lastModified: String?) {
        guard entityTag != nil || lastModified != nil else { return nil }
        self.address = address
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}
