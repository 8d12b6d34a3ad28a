#if canImport(Darwin)
import ForecastAPI
import Foundation
import Synchronization

/// A session for HTTP requests that keeps connections to servers open. It stores no cookies, cache or credentials.
final class HTTPSession: Sendable {
    private let delegate = HTTPSessionDelegate()
    let options: FetchOptions
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

    /// Starts a request. The exchange receives the response.
    ///
    /// - Returns: A closure that stops the request after its exchange has ended.
    func start(
        _ request: HTTPRequest, _ exchange: HTTPExchange, until deadline: ContinuousClock.Instant
    ) throws(FetchFailure) -> @Sendable () -> Void {
        var urlRequest = URLRequest(url: request.url)
        for field in request.fields { urlRequest.setValue(field.value, forHTTPHeaderField: field.name) }
        let task = session.dataTask(with: urlRequest)
        delegate.add(exchange, of: task)
        task.resume()
        return { [delegate] in
            delegate.remove(task)
            task.cancel()
        }
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
            exchange.fail(cause?.reason ?? "\(error)", error, isTemporary: cause?.isLostConnection == true)
        } else {
            exchange.complete(otherwise: (task.response as? HTTPURLResponse).map(HTTPResponse.init))
        }
    }
}

extension HTTPResponse {
    fileprivate init(_ response: HTTPURLResponse) {
        var fields: [String: String] = [:]
        for name in HTTPResponse.fieldNames { fields[name] = response.value(forHTTPHeaderField: name) }
        // The length is -1 if it is unknown.
        self.init(
            status: response.statusCode, fields: fields, length: UInt64(exactly: response.expectedContentLength))
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
