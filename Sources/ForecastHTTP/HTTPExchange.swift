import Synchronization
import UserProfileDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An HTTP GET request.
struct HTTPRequest: Sendable {
    let url: URL

    /// The URL of the request as text.
    var address: String { url.absoluteString }

    /// The header fields of the request.
    private(set) var fields: [(name: String, value: String)] = []

    init(url: URL) { self.url = url }

    /// Adds a header field. A value with control characters, e.g. from an edited store, is omitted, because a line
    /// break in it could add other header fields.
    mutating func add(_ name: String, _ value: String?) {
        guard let value, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return }
        fields.append((name, value))
    }
}

/// The response of a server: its status, the header fields that a source uses, and its body.
struct HTTPResponse: Sendable {
    /// The lowercase names of the header fields that a source uses.
    static let fieldNames = ["etag", "last-modified", "location", "retry-after", "date", "content-encoding"]

    let status: Int
    private let fields: [String: String]
    /// The expected size of the body in bytes, or `nil` if the server does not report it or compresses the body.
    let expectedByteCount: Int?
    var bytes: [UInt8] = []

    var entityTag: String? { fields["etag"] }
    var lastModified: String? { fields["last-modified"] }
    var location: String? { fields["location"] }
    var retryAfter: String? { fields["retry-after"] }
    var date: String? { fields["date"] }

    /// Creates a response without a body.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - fields: The header fields, by their names in lowercase.
    ///   - length: The size of the transferred body in bytes, or a negative number if it is unknown.
    init(status: Int, fields: [String: String], length: Int64) {
        self.status = status
        self.fields = fields
        let isCompressed = fields["content-encoding"].map { $0 != "identity" } ?? false
        expectedByteCount = isCompressed || length < 0 ? nil : Int(clamping: length)
    }
}

/// A request and its response, which arrives in chunks. The exchange ends exactly once, with the complete response or
/// with an error.
final class HTTPExchange: Sendable {
    private struct State {
        var response: HTTPResponse?
        var result: Result<HTTPResponse, any Error>?
        var continuation: CheckedContinuation<HTTPResponse, any Error>?
    }

    private let maximumByteCount: Int
    private let progress: @Sendable (FetchProgress) -> Void
    private let state = Mutex(State())

    init(maximumByteCount: Int, progress: @escaping @Sendable (FetchProgress) -> Void) {
        self.maximumByteCount = maximumByteCount
        self.progress = progress
    }

    /// Whether the exchange has ended.
    var isFinished: Bool { state.withLock { $0.result != nil } }

    /// Whether the header of a response with status 200 has arrived and the exchange has not ended.
    var hasResponseBegun: Bool { state.withLock { $0.response != nil } }

    /// Calls a closure that sends the request, and waits until the exchange ends. If the exchange has already ended,
    /// the closure is not called.
    func response(start: () -> Void) async throws -> HTTPResponse {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.continuation = continuation }
                return state.result
            }
            if let result {
                continuation.resume(with: result)
            } else {
                start()
            }
        }
    }

    /// Receives the header of the response.
    ///
    /// - Returns: Whether to receive the body. If `false`, the exchange has ended, because the body is not needed or
    ///   is too large.
    func begin(_ response: HTTPResponse) -> Bool {
        if let count = response.expectedByteCount, count > maximumByteCount, response.status == 200 {
            finish(.failure(HTTPFailure.tooLarge(maximumByteCount: maximumByteCount)))
            return false
        }
        // A response with another status needs no body.
        guard response.status == 200 else {
            finish(.success(response))
            return false
        }
        state.withLock { $0.response = response }
        progress(FetchProgress(receivedByteCount: 0, expectedByteCount: response.expectedByteCount))
        return true
    }

    /// Receives a chunk of the body. If the body exceeds the maximum size, the exchange ends with
    /// ``HTTPFailure/tooLarge(maximumByteCount:)``.
    func append(_ bytes: some Collection<UInt8>) {
        let (count, expected): (Int, Int?) = state.withLock { state in
            guard state.result == nil else { return (0, nil) }
            state.response?.bytes.append(contentsOf: bytes)
            return (state.response?.bytes.count ?? 0, state.response?.expectedByteCount)
        }
        if count > maximumByteCount {
            finish(.failure(HTTPFailure.tooLarge(maximumByteCount: maximumByteCount)))
        } else if count > 0 {
            progress(FetchProgress(receivedByteCount: count, expectedByteCount: expected))
        }
    }

    /// Ends the exchange with the received response. If no header has arrived, the exchange ends with `response`, or
    /// with ``HTTPFailure/notHTTP`` if `response` is `nil`.
    func complete(otherwise response: @autoclosure () -> HTTPResponse?) {
        let whole = state.withLock { $0.response } ?? response()
        finish(whole.map(Result.success) ?? .failure(HTTPFailure.notHTTP))
    }

    /// Ends the exchange with a result. If the exchange has already ended, the result is ignored.
    func finish(_ result: Result<HTTPResponse, any Error>) {
        let continuation = state.withLock { state in
            if state.result == nil { state.result = result }
            state.response = nil
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }
}
