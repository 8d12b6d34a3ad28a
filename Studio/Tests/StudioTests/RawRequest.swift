import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A request whose bytes a test chooses, over a connection of its own, and the response as text.
enum RawRequest {
    /// Sends bytes to a server on 127.0.0.1 and reads until the server closes the connection or the response is
    /// complete.
    ///
    /// - Parameters:
    ///   - request: The bytes. Without `Connection: close`, the server keeps the connection open.
    ///   - port: The port.
    ///   - isComplete: Whether to stop reading.
    ///   - seconds: The time limit of each read.
    /// - Returns: The response.
    /// - Throws: ``SocketError``.
    static func response(
        to request: String, at port: Int, until isComplete: @escaping @Sendable (String) -> Bool = { _ in false },
        seconds: Int = 20
    ) async throws
        -> String
    {
        // Blocking calls would occupy the threads on which the server runs.
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try exchange(Array(request.utf8), port, isComplete, seconds) })
            }
        }
    }

    struct SocketError: Error {
        let operation: String
        let code = errno
    }

    private static func exchange(_ request: [UInt8], _ port: Int, _ isComplete: (String) -> Bool, _ seconds: Int) throws
        -> String
    {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw SocketError(operation: "socket") }
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw SocketError(operation: "connect") }
        var sent = 0
        while sent < request.count {
            let count = request[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // A server that rejects a large body closes before it has read all of it.
            guard count > 0 else { break }
            sent += count
        }
        var response: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            response += buffer[..<count]
            if isComplete(String(decoding: response, as: UTF8.self)) { break }
        }
        return String(decoding: response, as: UTF8.self)
    }
}
