import ForecastAPI

/// The failure of a request: the underlying error of a `RepositoryError` of ``HTTPForecastSource``.
package enum HTTPFailure: Error {
    /// The response has a status that is not a success (RFC 9110, section 15).
    case status(Int)
    /// The response exceeds the maximum size.
    case tooLarge(maximumByteCount: Int)
    /// The response was not complete within the time limit.
    case timedOut(Duration)
    /// The server redirects to a URL that the source does not follow.
    case redirect(String)
    /// The response is not HTTP.
    case notHTTP
    /// The connection could not be established, or broke.
    case transport(any Error, hasResponseBegun: Bool)
}

extension HTTPFailure: CustomStringConvertible {
    /// The reason, as the end of a sentence.
    package var description: String {
        switch self {
        case .status(let status): "it answered with status \(status)"
        case .tooLarge(let count): "its answer has more than \(count) bytes"
        case .timedOut(let duration): "its answer was not there within \(duration)"
        case .redirect(let description): description
        case .notHTTP: "what it answered is not HTTP"
        case .transport(let error, _): (error as? any TransportError)?.reason ?? "\(error)"
        }
    }
}

extension HTTPFailure: FetchFailure {
    package var underlying: (any Error)? { if case .transport(let error, _) = self { error } else { nil } }
}

extension HTTPFailure {
    /// Whether the same request may succeed a moment later.
    var isWorthRetrying: Bool {
        switch self {
        case .status(let status): status == 429 || (502...504).contains(status)
        // A response that ends early belongs to a connection that was reset or closed.
        case .transport(let error, let hasResponseBegun):
            hasResponseBegun || (error as? any TransportError)?.isLostConnection == true
        case .tooLarge, .timedOut, .redirect, .notHTTP: false
        }
    }
}
