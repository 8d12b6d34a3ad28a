import Synchronization
import UserProfileDomain

/// A request and its response, which arrives in chunks. The exchange ends exactly once: complete, too large, failed or
/// cancelled.
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

    /// Whether the header of the response has arrived.
    var hasResponseBegun: Bool { state.withLock { $0.response != nil } }

    /// Starts the exchange and waits for its end.
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
    /// - Returns: Whether to receive the body.
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

    /// Receives a chunk of the body.
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

    /// Ends the exchange with the received response. If its header has not arrived, the exchange ends with `response`.
    func complete(otherwise response: @autoclosure () -> HTTPResponse?) {
        let whole = state.withLock { $0.response } ?? response()
        finish(whole.map(Result.success) ?? .failure(HTTPFailure.notHTTP))
    }

    /// Ends the exchange unless it has ended.
    func finish(_ result: Result<HTTPResponse, any Error>) {
        let continuation = state.withLock { state in
            if state.result == nil { state.result = result }
            state.response = nil
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }
}
