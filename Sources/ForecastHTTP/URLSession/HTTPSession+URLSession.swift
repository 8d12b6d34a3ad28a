#if canImport(Darwin)
import ForecastAPI
import Foundation
import Synchronization
import UserProfileDomain

/// A session for HTTP requests that keeps connections to servers open. It stores no cookies, cache or credentials.
final class HTTPSession: Sendable {
    private let delegate = HTTPSessionDelegate()
    private let options: FetchOptions
    /// The underlying session. It is created on first use, because most programs with a source never send a request.
    private let createdSession = Mutex<URLSession?>(nil)

    init(_ options: FetchOptions) { self.options = options }

    // A `URLSession` retains its delegate until the session is invalidated.
    deinit { createdSession.withLock { $0?.finishTasksAndInvalidate() } }

    private var session: URLSession {
        createdSession.withLock { session in
            if let session { return session }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            configuration.timeoutIntervalForRequest = options.idleTimeout / .seconds(1)
            let new = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            session = new
            return new
        }
    }

    /// Sends a request and waits for the complete response.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - deadline: The time at which the request fails if the response is not complete.
    ///   - progress: A closure that receives the number of bytes that have arrived.
    /// - Returns: The response. It has a body only if its status is 200.
    /// - Throws: `HTTPFailure` if the request fails, or `CancellationError` if the task is cancelled.
    func response(
        to request: HTTPRequest, until deadline: ContinuousClock.Instant,
        progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let exchange = HTTPExchange(maximumByteCount: options.maximumByteCount, progress: progress)
        var urlRequest = URLRequest(url: request.url)
        for field in request.fields { urlRequest.setValue(field.value, forHTTPHeaderField: field.name) }
        let task = session.dataTask(with: urlRequest)
        delegate.add(exchange, of: task)
        let timeout = HTTPFailure.timedOut(options.timeout)
        let timer = Task {
            try await Task.sleep(until: deadline)
            exchange.finish(.failure(timeout))
        }
        defer {
            timer.cancel()
            delegate.remove(task)
            task.cancel()
        }
        return try await withTaskCancellationHandler {
            try await exchange.response { task.resume() }
        } onCancel: {
            exchange.finish(.failure(CancellationError()))
        }
    }
}
#endif
