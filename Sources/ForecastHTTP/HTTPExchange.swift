import Synchronization
import UserProfileDomain

/// A request and its response, which arrives in chunks. The exchange ends once: complete, too large, failed or
/// cancelled.
final class HTTPExchange: Sendable {
    private struct State {
        var answer: HTTPAnswer?
        var result: Result<HTTPAnswer, any Error>?
        var continuation: CheckedContinuation<HTTPAnswer, any Error>?
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
    var isAnswerBegun: Bool { state.withLock { $0.answer != nil } }

    /// Starts the exchange and waits for its end.
    func answer(start: () -> Void) async throws -> HTTPAnswer {
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
    /// - Returns: whether to receive the body.
    func begin(_ answer: HTTPAnswer) -> Bool {
        if let count = answer.expectedByteCount, count > maximumByteCount, answer.status == 200 {
            finish(.failure(HTTPFailure.tooLarge(maximumByteCount: maximumByteCount)))
            return false
        }
        // Any other status needs no body.
        guard answer.status == 200 else {
            finish(.success(answer))
            return false
        }
        state.withLock { $0.answer = answer }
        progress(FetchProgress(receivedByteCount: 0, expectedByteCount: answer.expectedByteCount))
        return true
    }

    /// Receives a chunk of the body.
    func append(_ bytes: some Collection<UInt8>) {
        let (count, expected): (Int, Int?) = state.withLock { state in
            guard state.result == nil else { return (0, nil) }
            state.answer?.bytes.append(contentsOf: bytes)
            return (state.answer?.bytes.count ?? 0, state.answer?.expectedByteCount)
        }
        if count > maximumByteCount {
            finish(.failure(HTTPFailure.tooLarge(maximumByteCount: maximumByteCount)))
        } else if count > 0 {
            progress(FetchProgress(receivedByteCount: count, expectedByteCount: expected))
        }
    }

    /// Ends the exchange with the received response, or with `answer` if its header was not delivered before.
    func complete(otherwise answer: @autoclosure () -> HTTPAnswer?) {
        let whole = state.withLock { $0.answer } ?? answer()
        finish(whole.map(Result.success) ?? .failure(HTTPFailure.notHTTP))
    }

    /// Ends the exchange unless it has ended.
    func finish(_ result: Result<HTTPAnswer, any Error>) {
        let continuation = state.withLock { state in
            if state.result == nil { state.result = result }
            state.answer = nil
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }
}
