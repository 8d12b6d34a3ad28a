import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// A web server on its own loopback port, which runs during a closure.
public final class WebServer: Sendable {
    /// A request.
    public struct Call: Sendable {
        /// The path.
        public let path: String
        /// The parameters of the query.
        public let query: [String: String]
        fileprivate let headers: HTTPHeaders

        /// Returns the value of a header field.
        public func header(_ name: String) -> String? { headers[HTTPHeader(name)] }
    }

    /// A response.
    public struct Response: Sendable {
        let status: Int
        let headers: [String: String]
        let body: [UInt8]

        /// Creates a response with bytes.
        public init(_ status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        /// Creates a response with text.
        public init(_ status: Int = 200, headers: [String: String] = [:], text: String) {
            self.init(status, headers: headers, body: Array(text.utf8))
        }
    }

    /// The address of the server.
    public let url: String

    private let calls: Recorder

    /// The requests so far, in order.
    public var recorded: [Call] { calls.recorded }

    private init(url: String, calls: Recorder) {
        self.url = url
        self.calls = calls
    }

    /// Runs a closure with a server.
    public static func run<Result>(
        _ response: @escaping @Sendable (Call) async throws -> Response,
        _ body: (WebServer) async throws -> Result
    ) async throws -> Result {
        let calls = Recorder()
        // Time limits are long because the server may be slow on a busy machine. No test depends on them.
        let timeout = 600.0
        let server = try HTTPServer(
            address: .inet(ip4: "127.0.0.1", port: 0), timeout: timeout, logger: .disabled,
            handler: ClosureHTTPHandler { request in
                let call = Call(
                    path: request.path,
                    query: Dictionary(request.query.map { ($0.name, $0.value) }) { $1 }, headers: request.headers)
                calls.add(call)
                let response = try await response(call)
                return HTTPResponse(
                    statusCode: HTTPStatusCode(response.status, phrase: "Status"),
                    headers: HTTPHeaders(
                        Dictionary(uniqueKeysWithValues: response.headers.map { (HTTPHeader($0), $1) })),
                    body: Data(response.body))
            })
        let running = Task { try await server.run() }
        defer { running.cancel() }
        try await server.waitUntilListening(timeout: timeout)
        guard let port = await server.listeningAddress?.port else { throw NotListening() }
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(WebServer(url: "http://127.0.0.1:\(port)", calls: calls)))
        } catch {
            result = .failure(error)
        }
        await server.stop()
        return try result.get()
    }

    /// Records the requests.
    private final class Recorder: Sendable {
        private let calls = Mutex<[Call]>([])
        var recorded: [Call] { calls.withLock { $0 } }
        func add(_ call: Call) { calls.withLock { $0.append(call) } }
    }
}

/// The server has no port.
struct NotListening: Error {}

extension Socket.Address {
    /// The port of an address.
    var port: UInt16? {
        switch self {
        case .ip4(_, let port), .ip6(_, let port): port
        default: nil
        }
    }
}
