#if os(Linux)
import CForecastHTTP
import FoundationEssentials

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
        let result = unsafe withTexts(request.fields.map { "\($0.name): \($0.value)" }[...], []) { fields in
            unsafe fields.withUnsafeBufferPointer { fields in
                unsafe request.url.absoluteString.withCString { url in
                    guard let first = fields.baseAddress else { return up_http_failed }
                    var request = unsafe up_http_request(
                        url: url, fields: first, field_count: fields.count, timeout_milliseconds: Int(milliseconds),
                        idle_seconds: Int(seconds))
                    var calls = unsafe receiver.calls
                    return unsafe up_http_get(pointer, &request, &calls, &reason)
                }
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

    /// Converts texts to C strings, and passes an array to a closure: `pointers`, followed by the pointers to these C
    /// strings. The C strings are valid until the closure returns.
    private func withTexts<Result>(
        _ texts: ArraySlice<String>, _ pointers: [UnsafePointer<CChar>?],
        _ body: ([UnsafePointer<CChar>?]) -> Result
    ) -> Result {
        guard let text = texts.first else { return unsafe body(pointers) }
        return unsafe text.withCString { pointer in
            unsafe withTexts(texts.dropFirst(), pointers + [pointer], body)
        }
    }
}
#endif
