/// A request whose bytes a test chooses, over a connection of its own, and the response as text.
package enum RawRequest {
    /// Sends bytes to a server on 127.0.0.1 and reads until the server closes the connection or the response is
    /// complete.
    ///
    /// - Parameters:
    ///   - request: The bytes. Without `Connection: close`, the server keeps the connection open.
    ///   - port: The port.
    ///   - isComplete: Whether to stop reading.
    ///   - seconds: The time limit of each read.
    /// - Returns: The response.
    /// - Throws: An error if the connection cannot be opened.
    package static func response(
        to request: String, at port: Int, until isComplete: @escaping @Sendable (String) -> Bool = { _ in false },
        seconds: Int = 20
    ) async throws -> String {
        try await RawConnection.blocking { try exchange(request, port, isComplete, seconds) }
    }

    private static func exchange(
        _ request: String, _ port: Int, _ isComplete: (String) -> Bool, _ seconds: Int
    ) throws -> String {
        let connection = try RawConnection(port: port, seconds: seconds)
        connection.send(request)
        var response: [UInt8] = []
        while true {
            let bytes = connection.receive()
            guard !bytes.isEmpty else { break }
            response += bytes
            if isComplete(String(decoding: response, as: UTF8.self)) { break }
        }
        return String(decoding: response, as: UTF8.self)
    }
}
