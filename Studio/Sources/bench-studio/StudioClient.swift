import RawHTTP

/// A client of a running studio, which keeps its connection as a browser does.
struct StudioClient: Sendable {
    /// A response other than a page.
    struct UnexpectedResponse: Error {
        let response: String
    }

    private let connection: RawConnection
    private let host: String
    private let cookie: String

    /// Opens the address that the studio printed, `http://127.0.0.1:PORT/?token=TOKEN`.
    init(_ address: String) throws {
        let parts = address.split(separator: "/", maxSplits: 2)
        host = String(parts[1])
        connection = try RawConnection(port: Int(host.split(separator: ":").last ?? "") ?? 0)
        connection.send("GET /\(parts[2]) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        let response = connection.receiveResponse()
        cookie = String((response.field("Set-Cookie") ?? "").prefix { $0 != ";" })
    }

    /// Requests a page.
    func get(_ path: String) throws {
        connection.send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nCookie: \(cookie)\r\n\r\n")
        let response = connection.receiveResponse()
        guard response.status == 200 else { throw UnexpectedResponse(response: response) }
    }
}
