import Synchronization
import UserProfileDomain

/// A request and its response, which arrives in chunks. The exchange ends exactly once, with the complete response or
/// with an error.
final class HTTPExchange: Sendable {
    private struct State {
        var response: HTTPResponse?
        var result: Result<HTTPResponse, any Error>?
        var continuation: CheckedContinuation<HTTPResponse, any Error>?
    }

    private let maximumByteCount: Int
    private let progress: @Sendable (FetchProgress) -> Void
    private let state = Mutex(State())

    init(maximumByteCount: Int, progress: @escaping @Sendable (FetchProgress) -> Void) {
        self.maximumByteCount = maximumByteCount
        self.progress = progress
    }

    /// Whether the exchange has ended.
    var isFinished: Bool { state.withLock { $0.result != nil } }

    /// Whether the header of a response with status 200 has arrived and the exchange has not ended.
    var hasResponseBegun: Bool { state.withLock { $0.response != nil } }

    /// Calls a closure that sends the request, and waits until the exchange ends. If the exchange has already ended,
    /// the closure is not called.
    func response(start: () -> Void) async throws -> HTTPResponse {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.continuation = continuation }
                return state.result
            }
            if let result {
                continuation.resume(with: result)
            } else {
                start()
            }
        }
    }

    /// Receives the header of the response.
    ///
    /// - Returns: Whether to receive the body. If `false`, the exchange has ended, because the body is not needed or
    ///   is too large.
    func begin(_ response: HTTPResponse) -> Bool {
        if let count = response.expectedByteCount, count > maximumByteCount, response.status == 200 {
            finish(.failure(HTTPFailure.tooLarge(maximumByteCount: maximumByteCount)))
            return false
        }
        // A response with another status needs no body.
        guard response.status == 200 else {
            finish(.success(response))
            return false
        }
        state.withLock { $0.response = response }
        progress(FetchProgress(receivedByteCount: 0, expectedByteCount: response.expectedByteCount))
        return true
    }

    /// Receives a chunk of the body. If the body exceeds the maximum size, the exchange ends with
    /// ``HTTPFailure/tooLarge(maximumByteCount:)``.
    func append(_ bytes: some Collection<UInt8>) {
        let (count, expected): (Int, Int?) = state.withLock { state in
            guard state.result == nil else { return (0, nil) }
            state.response?.bytes.append(contentsOf: bytes)
            return (state.response?.bytes.count ?? 0, state.response?.expectedByteCount)
        }
        if count > maximumByteCount {
            finish(.failure(HTTPFailure.tooLarge(maximumByteCount: maximumByteCount)))
        } else if count > 0 {
            progress(FetchProgress(receivedByteCount: count, expectedByteCount: expected))
        }
    }

    /// Ends the exchange with the received response. If no header has arrived, the exchange ends with `response`, or
    /// with ``HTTPFailure/notHTTP`` if `response` is `nil`.
    func complete(otherwise response: @autoclosure () -> HTTPResponse?) {
        let whole = state.withLock { $0.response } ?? response()
        finish(whole.map(Result.success) ?? .failure(HTTPFailure.notHTTP))
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
