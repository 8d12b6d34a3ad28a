#if os(Linux)
import CForecastHTTP

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
#endif
