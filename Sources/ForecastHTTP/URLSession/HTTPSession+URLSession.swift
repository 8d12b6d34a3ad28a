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
    /// - Throws: `FetchFailure` if the request fails, or `CancellationError` if the task is cancelled.
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
        defer {
            delegate.remove(task)
            task.cancel()
        }
        return try await exchange.response(within: options.timeout, until: deadline) { task.resume() }
    }
}

/// A delegate that passes the events of a session's tasks to their exchanges. It ignores events of a task whose
/// exchange was removed.
final class HTTPSessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Mutex<[Int: HTTPExchange]>([:])

    func add(_ exchange: HTTPExchange, of task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    func remove(_ task: URLSessionTask) { _ = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) } }

    private func exchange(of task: URLSessionTask) -> HTTPExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let response = (response as? HTTPURLResponse).map(HTTPResponse.init)
        let isWanted = response.flatMap { exchange(of: dataTask)?.begin($0) } ?? false
        completionHandler(isWanted ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.append(data)
    }

    // The source follows redirects itself.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = exchange(of: task) else { return }
        if let error {
            let cause = error as? URLError
            // If a response ends early, its connection was closed or reset.
            let isTemporary = exchange.hasResponseBegun || cause?.isLostConnection == true
            let failure = FetchFailure.transport(cause?.reason ?? "\(error)", cause ?? error, isTemporary: isTemporary)
            exchange.finish(.failure(failure))
        } else {
            exchange.complete(otherwise: (task.response as? HTTPURLResponse).map(HTTPResponse.init))
        }
    }
}

extension HTTPResponse {
    fileprivate init(_ response: HTTPURLResponse) {
        var fields: [String: String] = [:]
        for name in HTTPResponse.fieldNames { fields[name] = response.value(forHTTPHeaderField: name) }
        self.init(status: response.statusCode, fields: fields, length: response.expectedContentLength)
    }
}

extension URLError {
    var reason: String {
        switch code {
        case .timedOut: "the connection timed out"
        case .cannotFindHost, .dnsLookupFailed: "the host is unknown"
        case .cannotConnectToHost: "the connection was refused"
        case .notConnectedToInternet: "no network connection"
        default: localizedDescription
        }
    }

    var isLostConnection: Bool { [.networkConnectionLost, .badServerResponse].contains(code) }
}
#endif
