/// The options for requests to a ``ForecastService``: time limits, the size limit and retries. The defaults suit a
/// program with a person in front of it.
///
/// ```swift
/// var options = FetchOptions()
/// options.timeout = .seconds(5)
/// let source = HTTPForecastSource(.standard, options: options)
/// ```
public struct FetchOptions: Sendable {
    /// The value of the HTTP header field `User-Agent`.
    public var userAgent = "UserProfile/0.1.0"

    /// The time after which a request fails if it receives no bytes. The time starts with the request, and starts again
    /// whenever bytes arrive.
    public var idleTimeout: Duration = .seconds(10)

    /// The maximum time of a fetch, including its redirects, its retries and the delays before them.
    public var timeout: Duration = .seconds(30)

    /// The maximum size of a response in bytes, after decompression. A larger response is rejected.
    public var maximumByteCount = 1 << 20

    /// The maximum number of retries after a temporary failure: status 429 or 502 to 504, or a connection that was
    /// closed or reset.
    public var retryCount = 2

    /// The maximum delay before the first retry. The maximum doubles with each further retry, up to
    /// ``longestRetryDelay``.
    ///
    /// The actual delay is random, from half of the maximum to the maximum, so that many clients do not retry at the
    /// same time.
    package var retryDelay: Duration = .milliseconds(500)

    /// The maximum delay before a retry. If the service requests a longer delay, the request is not retried.
    package var longestRetryDelay: Duration = .seconds(30)

    /// The minimum time between the starts of two requests.
    package var spacing: Duration = .milliseconds(100)

    /// Creates options that suit most services.
    public init() {}
}
