import ForecastAPI
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Why an exchange with a server came to nothing: the cause behind a `RepositoryError` of ``HTTPForecastSource``.
package enum HTTPFailure: Error {
    /// The server answered with a status that is no success (RFC 9110, section 15).
    case status(Int)
    /// The answer has more bytes than are taken.
    case tooLarge(maximumByteCount: Int)
    /// The whole answer was not there in time.
    case timedOut(Duration)
    /// The server sent on to where nobody follows.
    case redirect(String)
    /// What came is not HTTP.
    case notHTTP
    /// There was no connection, or it broke.
    case transport(any Error, isAnswerBegun: Bool)
}

extension HTTPFailure: CustomStringConvertible {
    /// What went wrong, as the end of a sentence.
    package var description: String {
        switch self {
        case .status(let status): "it answered with status \(status)"
        case .tooLarge(let count): "its answer has more than \(count) bytes"
        case .timedOut(let duration): "its answer was not there within \(duration)"
        case .redirect(let words): words
        case .notHTTP: "what it answered is not HTTP"
        case .transport(let error, _): HTTPFailure.words(for: error)
        }
    }

    private static func words(for error: any Error) -> String {
        let error = error as NSError
        guard error.domain == NSURLErrorDomain else { return error.localizedDescription }
        return switch error.code {
        case NSURLErrorTimedOut: "it did not answer in time"
        case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: "there is no host of that name"
        case NSURLErrorCannotConnectToHost: "nobody answers there"
        case NSURLErrorNotConnectedToInternet: "there is no network"
        default: error.localizedDescription
        }
    }
}

extension HTTPFailure: FetchFailure {
    package var underlying: (any Error)? { if case .transport(let error, _) = self { error } else { nil } }
}

extension HTTPFailure {
    /// Whether the same question may well be answered a moment later.
    var isWorthRetrying: Bool {
        switch self {
        case .status(let status): status == 429 || (502...504).contains(status)
        // What breaks off in the middle was reset or closed. Linux says of a connection that was closed before the
        // answer that the response is bad.
        case .transport(let error, let isAnswerBegun):
            isAnswerBegun
                || [NSURLErrorNetworkConnectionLost, NSURLErrorBadServerResponse].contains((error as NSError).code)
        case .tooLarge, .timedOut, .redirect, .notHTTP: false
        }
    }
}
