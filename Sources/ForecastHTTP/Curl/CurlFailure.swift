#if os(Linux)
import CForecastHTTP

/// The error of a failed libcurl request.
struct CurlFailure: TransportError, CustomStringConvertible {
    private let kind: up_http_result

    /// The message of libcurl.
    let description: String

    init(_ kind: up_http_result, _ description: String) {
        self.kind = kind
        self.description = description
    }

    var reason: String {
        switch kind {
        case up_http_timed_out: "the connection timed out"
        case up_http_no_host: "the host is unknown"
        case up_http_refused: "the connection was refused"
        default: description
        }
    }

    var isLostConnection: Bool { kind == up_http_lost }
}
#endif
