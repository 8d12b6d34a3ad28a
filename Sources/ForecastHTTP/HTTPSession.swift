import ForecastAPI
import Foundation
import Synchronization
import UserProfileDomain

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Connections to servers, kept open between questions. No cookies, no cache, no credentials.
final class HTTPSession: Sendable {
    private let delegate = HTTPSessionDelegate()
    private let options: FetchOptions
    /// Made when it is first used: most programs that could fetch something do not.
    private let made = Mutex<URLSession?>(nil)

    init(_ options: FetchOptions) { self.options = options }

    // The session holds its delegate until then.
    deinit { made.withLock { $0?.finishTasksAndInvalidate() } }

    private var session: URLSession {
        made.withLock { session in
            if let session { return session }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            configuration.timeoutIntervalForRequest = options.idleTimeout / .seconds(1)
            let new = URLSession(configuration: configuration, delegate: delegate, delegateQueue: .delegates)
            session = new
            return new
        }
    }

    /// Asks a server and waits for the whole answer.
    ///
    /// - Parameters:
    ///   - request: the question.
    ///   - progress: is told how much has arrived.
    /// - Returns: the answer; of one that is no success the head alone.
    /// - Throws: `HTTPFailure`, or `CancellationError`.
    func answer(
        to request: URLRequest, progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> HTTPAnswer {
        try Task.checkCancellation()
        let exchange = HTTPExchange(maximumByteCount: options.maximumByteCount, progress: progress)
        let task = session.dataTask(with: request)
        delegate.add(exchange, of: task)
        // Linux heeds no timeout for the whole.
        let (limit, timeout) = (options.timeout, HTTPFailure.timedOut(options.timeout))
        let timer = Task {
            try await Task.sleep(for: limit)
            exchange.finish(.failure(timeout))
        }
        defer {
            timer.cancel()
            delegate.remove(task)
            task.cancel()
        }
        return try await withTaskCancellationHandler {
            try await exchange.answer { task.resume() }
        } onCancel: {
            exchange.finish(.failure(CancellationError()))
        }
    }
}
