/// An error which states that a fetch from a weather service has failed. A source converts it to a `RepositoryError`.
package enum FetchFailure: Error {
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
    /// The response has status 200, but contains the given error message instead of weather.
    case answer(String)
    /// The connection could not be established or was lost, for the given reason and cause. It is temporary if an
    /// established connection was closed or reset.
    case transport(String, any Error, isTemporary: Bool)

    /// The message of a service that does not know the city. Any other message says nothing about the city, e.g. that
    /// the service cannot reach the weather agency.
    package static let unknownCity = "The specified city ID is invalid."

    /// The error of the connection that caused this one.
    package var underlying: (any Error)? { if case .transport(_, let error, _) = self { error } else { nil } }
}

extension FetchFailure: CustomStringConvertible {
    /// The reason as a clause that ends a sentence.
    package var description: String {
        switch self {
        case .status(let status): "the response has status \(status)"
        case .tooLarge(let count): "the response has more than \(count) bytes"
        case .timedOut(let duration): "no response within \(duration)"
        case .redirect(let reason): reason
        case .notHTTP: "the response is not HTTP"
        case .answer(let message): "the service answered \(message.excerpt(200).quoted)"
        case .transport(let reason, _, _): reason
        }
    }
}

extension FetchFailure {
    /// Whether the failure may be temporary, so that the same request may succeed later.
    package var isWorthRetrying: Bool {
        switch self {
        case .status(let status): status == 429 || (502...504).contains(status)
        case .transport(_, _, let isTemporary): isTemporary
        case .tooLarge, .timedOut, .redirect, .notHTTP, .answer: false
        }
    }

    /// The next step of the user as a clause that ends a sentence.
    package var remedy: String {
        switch self {
        case .status(408), .status(500...), .timedOut, .answer: "retry later"
        case _ where isWorthRetrying: "retry later"
        case .status, .redirect, .notHTTP, .tooLarge: "check the URL of the service"
        case .transport: "check the URL of the service, or retry later"
        }
    }
}
