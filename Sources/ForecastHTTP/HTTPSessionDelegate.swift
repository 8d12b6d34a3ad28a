import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A delegate that passes the events of a session's tasks to their exchanges. Events of a task whose exchange was
/// removed are ignored.
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

    // The source follows redirects itself: on Linux, the URL of a redirect to another scheme keeps the old scheme.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = exchange(of: task) else { return }
        if let error {
            exchange.finish(.failure(HTTPFailure.transport(error, hasResponseBegun: exchange.hasResponseBegun)))
        } else {
            exchange.complete(otherwise: (task.response as? HTTPURLResponse).map(HTTPResponse.init))
        }
    }
}

extension OperationQueue {
    /// The queue on which a session calls its delegate.
    static var delegates: OperationQueue? {
        #if canImport(FoundationNetworking)
        ImmediateQueue()
        #else
        nil
        #endif
    }
}

#if canImport(FoundationNetworking)
/// A queue that runs delegate calls immediately, on the session's own thread. Otherwise, data that arrives faster than
/// the delegate processes it would accumulate without limit: on Linux, a cancelled task continues to receive for a
/// while.
private final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    // It has no state of its own, and its superclass is thread-safe.
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
