import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hands what comes of the tasks of a session to their exchanges. What comes of a task that nobody waits for any more
/// is dropped.
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
        let answer = (response as? HTTPURLResponse).map(HTTPAnswer.init)
        let isWanted = answer.flatMap { exchange(of: dataTask)?.begin($0) } ?? false
        completionHandler(isWanted ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.append(data)
    }

    // The source follows redirects itself: Linux makes an address with the old scheme of one with another scheme.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = exchange(of: task) else { return }
        if let error {
            exchange.finish(.failure(HTTPFailure.transport(error, isAnswerBegun: exchange.isAnswerBegun)))
        } else {
            exchange.complete(otherwise: (task.response as? HTTPURLResponse).map(HTTPAnswer.init))
        }
    }
}

extension OperationQueue {
    /// Where a session calls its delegate.
    static var delegates: OperationQueue? {
        #if canImport(FoundationNetworking)
        ImmediateQueue()
        #else
        nil
        #endif
    }
}

#if canImport(FoundationNetworking)
/// Runs what a session tells its delegate at once, on the session's own thread. Otherwise what a server sends faster
/// than the delegate takes it would pile up without a bound: on Linux a cancelled task goes on to receive for a while.
private final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    // It has no state of its own; the class above it is safe.
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
