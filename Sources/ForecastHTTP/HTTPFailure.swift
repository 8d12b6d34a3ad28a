import ForecastAPI
import UserProfileDomain

/// An error which states that a request has failed. ``HTTPForecastSource`` converts it to a `RepositoryError`.
package enum HTTPFailure: Error {
    /// The response has a status that is not a success (RFC 9110, section 15).
    case status(Int)
    /// The response exceeds the maximum size.
    case tooLarge(maximumByteCount: Int)
    /// The response was not complete within the given time limit.
    case timedOut(Duration)
    /// The source does not follow a redirect of the server, for the given reason.
    case redirect(String)
    /// The response is not an HTTP response.
    case notHTTP
    /// The connection could not be established or was lost. The associated values are the cause, and whether the header
    /// of the response had already arrived.
    case transport(any Error, hasResponseBegun: Bool)
}

extension HTTPFailure: CustomStringConvertible {
    /// The reason as a clause that ends a sentence.
    package var description: String {
        switch self {
        case .status(let status): "the response has status \(status)"
        case .tooLarge(let count): "the response has more than \(count) bytes"
        case .timedOut(let duration): "no response within \(duration)"
        case .redirect(let description): description
        case .notHTTP: "the response is not HTTP"
        case .transport(let error, _): (error as? any TransportError)?.reason ?? "\(error)"
        }
    }
}

extension HTTPFailure: FetchFailure {
    package var underlying: (any Error)? { if case .transport(let error, _) = self { error } else { nil } }
}

extension HTTPFailure {
    /// Whether the failure may be temporary, so that the same request may succeed later.
    var isWorthRetrying: Bool {
        switch self {
        case .status(let status): status == 429 || (502...504).contains(status)
        // If a response ends early, its connection was closed or reset.
        case .transport(let error, let hasResponseBegun):
            hasResponseBegun || (error as? any TransportError)?.isLostConnection == true
        case .tooLarge, .timedOut, .redirect, .notHTTP: false
        }
    }

    /// The next step of the user as a clause that ends a sentence.
    var remedy: String {
        switch self {
        case .status(408), .status(500...), .timedOut: "retry later"
        case _ where isWorthRetrying: "retry later"
        case .status, .redirect, .notHTTP, .tooLarge: "check the URL of the service"
        case .transport: "check the URL of the service, or retry later"
        }
    }
}

/// An error of the connection to a server.
protocol TransportError: Error {
    /// The reason as a clause that ends a sentence.
    var reason: String { get }

    /// Whether an established connection was closed or reset.
    var isLostConnection: Bool { get }
}
