/// How documents are fetched from a ``ForecastService``: time limits, sizes and retries.
public struct FetchOptions: Sendable {
    /// The user agent that requests name.
    public var userAgent = "UserProfile/0.1.0"

    /// The longest time without any bytes of an answer.
    public var idleTimeout: Duration = .seconds(10)

    /// The longest time until an answer is complete.
    public var timeout: Duration = .seconds(30)

    /// The largest size of an uncompressed answer. A larger answer is rejected.
    public var maximumByteCount = 1 << 20

    /// How many times a request is repeated after a temporary failure: status 429 and 502 to 504, a connection that was
    /// closed or reset.
    public var retryCount = 2

    /// The delay before the first retry; it doubles with each further one. A random part of up to one half is
    /// subtracted, so that many clients do not retry at the same time.
    package var retryDelay: Duration = .milliseconds(500)

    /// The longest delay before a retry. If the service requests a longer one, the request is not repeated.
    package var longestRetryDelay: Duration = .seconds(30)

    /// The shortest time between the starts of two requests.
    package var spacing: Duration = .milliseconds(100)

    /// Creates options that suit most services.
    public init() {}
}
