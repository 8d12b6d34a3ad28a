#if os(Linux)
import CForecastHTTP
import DataStoreSystem
import ForecastAPI
import FoundationEssentials
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
    /// - Throws: `FetchFailure` if the request fails, or `CancellationError` if the task is cancelled.
    func response(
        to request: HTTPRequest, until deadline: ContinuousClock.Instant,
        progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> HTTPResponse {
        try Task.checkCancellation()
        guard let client = idleClients.withLock({ $0.popLast() }) ?? CurlClient() else {
            throw CurlFailure(up_http_failed, "out of memory").failure(hasResponseBegun: false)
        }
        let exchange = HTTPExchange(maximumByteCount: options.maximumByteCount, progress: progress)
        return try await exchange.response(within: options.timeout, until: deadline) {
            start(request, exchange, client, until: deadline)
        } stop: {
            client.wake()
        }
    }

    /// Runs a request on a new thread.
    private func start(
        _ request: HTTPRequest, _ exchange: HTTPExchange, _ client: CurlClient, until deadline: ContinuousClock.Instant
    ) {
        do {
            try Thread.start("fetch a forecast") { [self] in
                // libcurl gets a longer time limit than the timer. The timer therefore expires first, and its error
                // states the time limit of the fetch.
                let timeout = ContinuousClock.now.duration(to: deadline) + .seconds(1)
                client.run(request, exchange, timeout: timeout, idleTimeout: options.idleTimeout)
                idleClients.withLock { $0.append(client) }
            }
        } catch {
            let failure = CurlFailure(up_http_failed, "\(error)")
            exchange.finish(.failure(failure.failure(hasResponseBegun: false)))
        }
    }
}

/// The error of a failed libcurl request.
struct CurlFailure: Error, CustomStringConvertible {
    private let kind: up_http_result

    /// The message of libcurl.
    let description: String

    init(_ kind: up_http_result, _ description: String) {
        self.kind = kind
        self.description = description
    }

    private var reason: String {
        switch kind {
        case up_http_timed_out: "the connection timed out"
        case up_http_no_host: "the host is unknown"
        case up_http_refused: "the connection was refused"
        default: description
        }
    }

    /// Returns the failure of the fetch. If a response ends early, its connection was closed or reset.
    func failure(hasResponseBegun: Bool) -> FetchFailure {
        .transport(reason, self, isTemporary: hasResponseBegun || kind == up_http_lost)
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
                unsafe CurlReceiver.of(context).append(UnsafeRawBufferPointer(start: bytes, count: count)) ? 1 : 0
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
        exchange.begin(HTTPResponse(status: status, fields: fields, length: length))
    }

    private func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe exchange.append(bytes)
        return !exchange.isFinished
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
        let receiver = CurlReceiver(exchange)
        var reason = [CChar](repeating: 0, count: Int(UP_HTTP_REASON_SIZE))
        // libcurl represents time limits in 32 bits, so longer limits are shortened.
        let milliseconds = min(max(timeout / .milliseconds(1), 1), 1e9)
        let seconds = min(max((idleTimeout / .seconds(1)).rounded(.up), 1), 1e6)
        // The texts and the receiver outlive the call, which keeps no pointer to them.
        // The C strings are valid until this function returns.
        let fields = unsafe request.fields.map { unsafe UnsafePointer(strdup("\($0.name): \($0.value)")) }
        defer { unsafe fields.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
        let result = unsafe fields.withUnsafeBufferPointer { buffer in
            unsafe request.url.absoluteString.withCString { url in
                guard let first = buffer.baseAddress, unsafe !fields.contains(nil) else { return up_http_failed }
                var request = unsafe up_http_request(
                    url: url, fields: first, field_count: buffer.count, timeout_milliseconds: Int(milliseconds),
                    idle_seconds: Int(seconds))
                var calls = unsafe receiver.calls
                return unsafe up_http_get(pointer, &request, &calls, &reason)
            }
        }
        if result == up_http_done {
            exchange.complete(otherwise: nil)
        } else {
            let text = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let failure = CurlFailure(result, text)
            exchange.finish(.failure(failure.failure(hasResponseBegun: exchange.hasResponseBegun)))
        }
    }
}
#endif
