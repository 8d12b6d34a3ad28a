#if os(Linux)
import CForecastHTTP
import ForecastAPI
import Synchronization
import UserProfileDomain

/// A session for HTTP requests that keeps connections to servers open. It stores no cookies, cache or credentials.
///
/// It uses libcurl instead of the `URLSession` of Linux, which has serious faults. That `URLSession` terminates the
/// process if a response has a `Content-Length` near 2^63 or if a request is cancelled during a redirect. It also
/// occupies a processor core while it waits for a server that does not respond.
final class HTTPSession: Sendable {
    private let options: FetchOptions
    /// The clients that are not running a request.
    private let idleClients = Mutex<[CurlClient]>([])

    init(_ options: FetchOptions) { self.options = options }

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
        guard let client = idleClients.withLock({ $0.popLast() }) ?? CurlClient() else {
            throw HTTPFailure.transport(CurlFailure(up_http_failed, "out of memory"), hasResponseBegun: false)
        }
        let exchange = HTTPExchange(maximumByteCount: options.maximumByteCount, progress: progress)
        let timeout = HTTPFailure.timedOut(options.timeout)
        let timer = Task {
            try await Task.sleep(until: deadline)
            exchange.finish(.failure(timeout))
            client.wake()
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await exchange.response { start(request, exchange, client, until: deadline) }
        } onCancel: {
            exchange.finish(.failure(CancellationError()))
            client.wake()
        }
    }

    /// Runs a request on a new thread.
    private func start(
        _ request: HTTPRequest, _ exchange: HTTPExchange, _ client: CurlClient, until deadline: ContinuousClock.Instant
    ) {
        let work = Work { [self] in
            // libcurl gets a longer time limit than the timer. The timer therefore expires first, and its error states
            // the time limit of the fetch.
            let timeout = ContinuousClock.now.duration(to: deadline) + .seconds(1)
            client.run(request, exchange, timeout: timeout, idleTimeout: options.idleTimeout)
            idleClients.withLock { $0.append(client) }
        }
        // The thread takes over the reference.
        let context = unsafe Unmanaged.passRetained(work).toOpaque()
        let code = unsafe up_http_start_thread(
            { context in unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }, context)
        guard code != 0 else { return }
        unsafe Unmanaged<Work>.fromOpaque(context).release()
        let failure = CurlFailure(up_http_failed, "no thread can be started (error \(code))")
        exchange.finish(.failure(HTTPFailure.transport(failure, hasResponseBegun: false)))
    }

    /// The work of a thread that runs a request.
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
#endif
