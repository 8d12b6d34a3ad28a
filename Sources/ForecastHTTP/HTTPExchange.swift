import ForecastAPI
import Synchronization

/// The response of a server: its status, the header fields that a source uses, and its body.
struct HTTPResponse: Sendable {
    /// The lowercase names of the header fields that a source uses.
    static let fieldNames = ["etag", "last-modified", "location", "retry-after", "date", "content-encoding"]

    let status: Int
    /// The header fields that a source uses, by their names in lowercase.
    let fields: [String: String]
    /// The size of the transferred body in bytes, or `nil` if it is unknown.
    let length: UInt64?
    /// The received part of the body.
    var bytes: [UInt8] = []

    /// The expected size of the body in bytes, or `nil` if the server does not report it or compresses the body.
    var expectedByteCount: Int? {
        fields["content-encoding"] ?? "identity" == "identity" ? length.map { Int(clamping: $0) } : nil
    }

    /// The time of the response, if the server reports it.
    var time: Instant? { fields["date"].flatMap(Self.time) }

    /// Returns the delay that the header field `Retry-After` requests, a number of seconds or a date (RFC 9110, section
    /// 10.2.3).
    ///
    /// - Parameter now: The current time, according to the server if it reports a time.
    /// - Returns: The delay, or `nil` if the field is missing or its value is neither a number nor a date.
    func requestedDelay(now: Instant) -> Duration? {
        guard let text = fields["retry-after"] else { return nil }
        if let seconds = Int64(text), seconds >= 0 { return .seconds(min(seconds, 1 << 31)) }
        return Self.time(text).map { max(.zero, $0.duration(since: now)) }
    }

    /// Parses a date in the format IMF-fixdate (RFC 9110, section 5.6.7), e.g. `Sun, 06 Nov 1994 08:49:37 GMT`. Returns
    /// `nil` for any other text.
    private static func time(_ text: String) -> Instant? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: parts[2]) else { return nil }
        let number = String(month + 1)
        return try? Instant("\(parts[3])-\(number.count == 1 ? "0" : "")\(number)-\(parts[1])T\(parts[4])Z")
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

/// A request and its response, which arrives in chunks. The exchange ends exactly once, with the complete response or
/// with an error.
final class HTTPExchange: Sendable {
    private typealias State = (
        response: HTTPResponse?, result: Result<HTTPResponse, any Error>?,
        continuation: CheckedContinuation<HTTPResponse, any Error>?
    )

    private let maximumByteCount: Int
    private let progress: @Sendable (FetchProgress) -> Void
    private let state = Mutex<State>((nil, nil, nil))

    init(maximumByteCount: Int, progress: @escaping @Sendable (FetchProgress) -> Void) {
        self.maximumByteCount = maximumByteCount
        self.progress = progress
    }

    /// Whether the exchange has ended.
    var isFinished: Bool { state.withLock { $0.result != nil } }

    /// Waits until the exchange ends. When the time is over or the task is cancelled, it ends with an error.
    func response(within timeout: Duration, until deadline: ContinuousClock.Instant) async throws -> HTTPResponse {
        let timer = Task {
            try await Task.sleep(until: deadline)
            finish(.failure(FetchFailure.timedOut(timeout)))
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state in
                    if state.result == nil { state.continuation = continuation }
                    return state.result
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }

    /// Receives the header of the response.
    ///
    /// - Returns: Whether to receive the body. If `false`, the exchange has ended, because the body is not needed or
    ///   is too large.
    func begin(_ response: HTTPResponse) -> Bool {
        // A response with another status needs no body.
        guard response.status == 200 else {
            finish(.success(response))
            return false
        }
        guard response.expectedByteCount ?? 0 <= maximumByteCount else {
            finish(.failure(FetchFailure.tooLarge(maximumByteCount: maximumByteCount)))
            return false
        }
        state.withLock { $0.response = response }
        progress(FetchProgress(receivedByteCount: 0, expectedByteCount: response.expectedByteCount))
        return true
    }

    /// Receives a chunk of the body. If the body exceeds the maximum size, the exchange ends with
    /// ``FetchFailure/tooLarge(maximumByteCount:)``.
    func append(_ bytes: some Collection<UInt8>) {
        let received = state.withLock { state -> (Int, Int?)? in
            // The header of a response may have arrived while the exchange ended.
            guard state.result == nil else { return nil }
            state.response?.bytes.append(contentsOf: bytes)
            return state.response.map { ($0.bytes.count, $0.expectedByteCount) }
        }
        guard let (count, expected) = received else { return }
        if count > maximumByteCount {
            finish(.failure(FetchFailure.tooLarge(maximumByteCount: maximumByteCount)))
        } else {
            progress(FetchProgress(receivedByteCount: count, expectedByteCount: expected))
        }
    }

    /// Ends the exchange with the received response. If no header has arrived, the exchange ends with `response`, or
    /// with ``FetchFailure/notHTTP`` if `response` is `nil`.
    func complete(otherwise response: @autoclosure () -> HTTPResponse?) {
        let whole = state.withLock { $0.response } ?? response()
        finish(whole.map(Result.success) ?? .failure(FetchFailure.notHTTP))
    }

    /// Ends the exchange because the connection failed, for the given reason and cause. If a response has begun, the
    /// connection was closed or reset, which is temporary in any case.
    func fail(_ reason: String, _ cause: any Error, isTemporary: Bool) {
        let hasBegun = state.withLock { $0.response != nil }
        finish(.failure(FetchFailure.transport(reason, cause, isTemporary: isTemporary || hasBegun)))
    }

    /// Ends the exchange with a result. If the exchange has already ended, the result is ignored.
    func finish(_ result: Result<HTTPResponse, any Error>) {
        let continuation = state.withLock { state in
            if state.result == nil { state.result = result }
            state.response = nil
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }
}

extension HTTPSession {
    /// Sends a request and waits for the complete response.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - deadline: The time at which the request fails if the response is not complete.
    ///   - progress: A closure that receives the number of bytes that have arrived.
    /// - Returns: The response. It has a body only if its status is 200.
    /// - Throws: `FetchFailure` if the request fails, or `CancellationError` if the task is cancelled.
    func response(
        to request: HTTPRequest, until deadline: ContinuousClock.Instant,
        progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let exchange = HTTPExchange(maximumByteCount: options.maximumByteCount, progress: progress)
        let stop = try start(request, exchange, until: deadline)
        defer { stop() }
        return try await exchange.response(within: options.timeout, until: deadline)
    }
}
