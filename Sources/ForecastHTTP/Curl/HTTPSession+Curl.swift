#if os(Linux)
import CForecastHTTP
import DataStoreSystem
import ForecastAPI
import FoundationEssentials
import Synchronization

/// A session for HTTP requests that keeps connections to servers open. It stores no cookies, cache or credentials.
///
/// It uses libcurl instead of the `URLSession` of Linux, which has serious faults. That `URLSession` terminates the
/// process if a response has a `Content-Length` near 2^63 or if a request is cancelled during a redirect. It also
/// occupies a processor core while it waits for a server that does not respond.
final class HTTPSession: Sendable {
    let options: FetchOptions
    /// The clients that are not running a request.
    private let idleClients = Mutex<[CurlClient]>([])

    init(_ options: FetchOptions) { self.options = options }

    /// Starts a request on a new thread. The exchange receives the response.
    ///
    /// - Returns: A closure that stops the request after its exchange has ended.
    /// - Throws: `FetchFailure` if memory or threads are exhausted.
    func start(
        _ request: HTTPRequest, _ exchange: HTTPExchange, until deadline: ContinuousClock.Instant
    ) throws(FetchFailure) -> @Sendable () -> Void {
        guard let client = idleClients.withLock({ $0.popLast() }) ?? CurlClient() else {
            let failure = CurlFailure(kind: up_http_failed, description: "out of memory")
            throw .transport(failure.reason, failure, isTemporary: false)
        }
        do {
            try Thread.start("fetch a forecast") { [self] in
                // libcurl gets a longer time limit than the timer. The timer therefore expires first, and its error
                // states the time limit of the fetch.
                let timeout = ContinuousClock.now.duration(to: deadline) + .seconds(1)
                client.run(request, exchange, timeout: timeout, idleTimeout: options.idleTimeout)
                idleClients.withLock { $0.append(client) }
            }
        } catch {
            throw .transport("\(error)", error, isTemporary: false)
        }
        return { client.wake() }
    }
}

/// The error of a failed libcurl request.
struct CurlFailure: Error, CustomStringConvertible {
    let kind: up_http_result

    /// The message of libcurl.
    let description: String

    var reason: String {
        switch kind {
        case up_http_timed_out: "the connection timed out"
        case up_http_no_host: "the host is unknown"
        case up_http_refused: "the connection was refused"
        default: description
        }
    }
}

/// A receiver of the header and the body of a response. libcurl calls it on one thread.
final class CurlReceiver {
    private let exchange: HTTPExchange
    private var fields: [String: String] = [:]

    init(_ exchange: HTTPExchange) { self.exchange = exchange }

    /// The functions that libcurl calls. They are valid as long as this object exists.
    var calls: up_http_receiver {
        // Each function gets the object that is passed here, and bytes that are valid during the call.
        unsafe up_http_receiver(
            context: Unmanaged.passUnretained(self).toOpaque(),
            line: { context, bytes, count in
                unsafe CurlReceiver.of(context).receive(UnsafeRawBufferPointer(start: bytes, count: count))
            },
            begin: { context, status, length in unsafe CurlReceiver.of(context).begin(status, length) ? 1 : 0 },
            append: { context, bytes, count in
                unsafe CurlReceiver.of(context).exchange.append(UnsafeRawBufferPointer(start: bytes, count: count))
            },
            is_wanted: { context in unsafe CurlReceiver.of(context).exchange.isFinished ? 0 : 1 })
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> CurlReceiver {
        unsafe Unmanaged<CurlReceiver>.fromOpaque(context).takeUnretainedValue()
    }

    /// Receives a line of the header. libcurl has already validated and separated the lines.
    private func receive(_ line: UnsafeRawBufferPointer) {
        let text = unsafe String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") { fields = [:] }
        guard let colon = text.firstIndex(of: ":") else { return }
        let name = text[..<colon].lowercased()
        guard HTTPResponse.fieldNames.contains(name) else { return }
        let value = text[text.index(after: colon)...]
        fields[name] = String(value.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    private func begin(_ status: Int, _ length: Int64) -> Bool {
        exchange.begin(HTTPResponse(status: status, fields: fields, length: UInt64(exactly: length)))
    }
}

/// A client of libcurl, which sends one request at a time. It keeps connections open between requests.
///
/// - Safety: `@unchecked Sendable` because ``HTTPSession`` passes a client to one thread at a time. libcurl allows any
///   thread to use a client if no other thread uses it, and allows every thread to wake it. `@safe` because the pointer
///   is valid until `deinit`.
@safe
final class CurlClient: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// The initialization of libcurl, which happens once before its first use.
    private static let initialized: Void = up_http_initialize()

    /// Creates a client. Returns `nil` if memory is exhausted.
    init?() {
        Self.initialized
        guard let pointer = unsafe up_http_open() else { return nil }
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe up_http_close(pointer) }

    /// Wakes a running request, so that it notices that its exchange has ended.
    func wake() { unsafe up_http_wake(pointer) }

    /// Sends a request and passes the response to an exchange, on the calling thread. If the request fails, the
    /// exchange ends with the error.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - exchange: The exchange that receives the response. If the exchange ends early, the request is aborted.
    ///   - timeout: The maximum time until the response is complete.
    ///   - idleTimeout: The maximum time without receiving any bytes of the response.
    func run(_ request: HTTPRequest, _ exchange: HTTPExchange, timeout: Duration, idleTimeout: Duration) {
        var reason = [CChar](repeating: 0, count: Int(UP_HTTP_REASON_SIZE))
        // libcurl represents time limits in 32 bits, so longer limits are shortened.
        let milliseconds = min(max(timeout / .milliseconds(1), 1), 1e9)
        let seconds = min(max((idleTimeout / .seconds(1)).rounded(.up), 1), 1e6)
        // No value contains a line break.
        let fields = request.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        // The receiver and the texts outlive the call, which keeps no pointer to them.
        let result = withExtendedLifetime(CurlReceiver(exchange)) { receiver in
            var calls = unsafe receiver.calls
            return unsafe up_http_get(
                pointer, request.url.absoluteString, fields, Int(milliseconds), Int(seconds), &calls, &reason)
        }
        guard result != up_http_done else { return exchange.complete(otherwise: nil) }
        let text = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let failure = CurlFailure(kind: result, description: text)
        exchange.fail(failure.reason, failure, isTemporary: result == up_http_lost)
    }
}
#endif
