#if canImport(Darwin)
import Foundation
import Synchronization

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
            let cause: any Error = error as? URLError ?? error
            exchange.finish(.failure(HTTPFailure.transport(cause, hasResponseBegun: exchange.hasResponseBegun)))
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

extension URLError: TransportError {
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
