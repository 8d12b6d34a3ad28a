/// When something was fetched from a service, and which version of it that was.
public struct FetchReceipt: Hashable, Sendable {
    /// When the service answered.
    public let fetchedAt: Instant

    /// Which version it was, or none where the service does not say.
    public let version: FetchedVersion?

    /// Describes a fetch.
    ///
    /// - Parameters:
    ///   - fetchedAt: when the service answered.
    ///   - version: which version it was, or none where the service does not say.
    public init(fetchedAt: Instant, version: FetchedVersion? = nil) {
        self.fetchedAt = fetchedAt
        self.version = version
    }
}

/// What a service calls the version of something that it gave: with it, it can be asked whether there is a newer one
/// (RFC 9110, section 8.8).
public struct FetchedVersion: Hashable, Sendable {
    /// Where it came from: another address has other versions.
    public let address: String

    /// The entity tag as the service wrote it, or none.
    public let entityTag: String?

    /// The date of the last change as the service wrote it, or none.
    public let lastModified: String?

    /// Describes a version; nil where the service says nothing of it.
    ///
    /// - Parameters:
    ///   - address: where it came from.
    ///   - entityTag: the entity tag as the service wrote it.
    ///   - lastModified: the date of the last change as the service wrote it.
    public init?(address: String, entityTag: String?, lastModified: String?) {
        guard entityTag != nil || lastModified != nil else { return nil }
        self.address = address
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}
