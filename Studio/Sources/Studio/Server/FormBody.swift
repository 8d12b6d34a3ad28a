import HTTPTypes
import Hummingbird
import NIOCore

extension Form {
    /// The largest body of a request in bytes. A form of the studio is far smaller.
    static let maximumByteCount = 16 << 10

    /// Reads the form in the body of a request, within a limit of size and time.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - timeout: The time that the client has to send the body.
    /// - Throws: ``RejectedBody`` if the body is no form, too large or too slow.
    init(body request: Request, timeout: Duration = .seconds(10)) async throws {
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        guard type == "application/x-www-form-urlencoded" else { throw RejectedBody(.unsupportedMediaType) }
        let body = request.body
        let bytes = try await withThrowingTaskGroup(of: ByteBuffer?.self) { group in
            group.addTask {
                do {
                    return try await body.collect(upTo: Form.maximumByteCount)
                } catch is NIOTooManyBytesError {
                    throw RejectedBody(.contentTooLarge)
                }
            }
            group.addTask {
                try await Task.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            guard let bytes = try await group.next() ?? nil else { throw RejectedBody(.requestTimeout) }
            return bytes
        }
        self.init(encoded: String(buffer: bytes))
    }
}

/// A body that the server does not read to its end. The connection is closed after the response, because the rest of
/// the body has no limit.
struct RejectedBody: Error {
    let status: HTTPResponse.Status

    init(_ status: HTTPResponse.Status) { self.status = status }

    /// Returns the response that closes its connection.
    func response(_ context: StudioContext) -> Response {
        let text = ByteBuffer(string: "\(status.reasonPhrase)\n")
        return Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8", .connection: "close"],
            body: ResponseBody(contentLength: text.readableBytes) { [channel = context.channel] writer in
                try await writer.write(text)
                try await writer.finish(nil)
                channel.close(promise: nil)
            })
    }
}
