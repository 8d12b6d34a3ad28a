import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A connection to a server on 127.0.0.1. Its calls block the thread, so call them within ``blocking(_:)``.
package final class RawConnection: Sendable {
    /// An error of a call of the system.
    package struct SocketError: Error {
        let operation: String
        let code = errno
    }

    private let descriptor: Int32

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - port: The port.
    ///   - seconds: The time limit of each ``receive()``.
    ///   - bufferByteCount: The size of the receive buffer, or `nil` for the default of the system.
    /// - Throws: ``SocketError``.
    package init(port: Int, seconds: Int = 20, bufferByteCount: Int32? = nil) throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw SocketError(operation: "socket") }
        var timeout = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        if var bufferByteCount {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bufferByteCount, socklen_t(MemoryLayout<Int32>.size))
        }
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
    }

    deinit { close(descriptor) }

    /// Runs a closure that may block on a new thread. The server needs the threads of the concurrency runtime.
    package static func blocking<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// Sends text until all of it is sent or the server closes the connection. A server that rejects a large body
    /// closes the connection before it has received all of it.
    package func send(_ text: String) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                #if canImport(Glibc)
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                #else
                Darwin.send(descriptor, $0.baseAddress, $0.count, 0)
                #endif
            }
            guard count > 0 else { break }
            sent += count
        }
    }

    /// Waits for bytes of the server.
    ///
    /// - Returns: The bytes, or an empty array after the end of the connection or the time limit.
    package func receive() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return Array(buffer.prefix(max(0, count)))
    }

    /// Waits until the server ends the connection.
    ///
    /// - Returns: Whether the connection ended before the time limit.
    package func receiveEnd() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { return count == 0 || errno == ECONNRESET }
        }
    }

    /// Receives one response with the field `Content-Length`, so that the connection can be used again.
    ///
    /// - Returns: The response, or its beginning if the connection ended.
    package func receiveResponse() -> String {
        var response: [UInt8] = []
        var count = Int.max
        while response.count < count {
            let bytes = receive()
            if bytes.isEmpty { break }
            response += bytes
            guard count == .max, let end = response.firstIndex(ofBytes: "\r\n\r\n") else { continue }
            let head = String(decoding: response[..<(end + 4)], as: UTF8.self)
            if let length = head.field("Content-Length").flatMap({ Int($0) }) { count = end + 4 + length }
        }
        return String(decoding: response, as: UTF8.self)
    }
}

extension [UInt8] {
    fileprivate func firstIndex(ofBytes text: String) -> Int? {
        let pattern = Array(text.utf8)
        guard count >= pattern.count else { return nil }
        return (0...(count - pattern.count)).first { self[$0..<($0 + pattern.count)].elementsEqual(pattern) }
    }
}

extension String {
    /// The status of a response.
    package var status: Int { Int(split(separator: " ").dropFirst().first ?? "") ?? 0 }

    /// Returns the value of a header field of a response.
    package func field(_ name: String) -> String? {
        let head = prefix(upTo: firstRange(of: "\r\n\r\n")?.lowerBound ?? endIndex)
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
        return line.map { String($0.dropFirst(name.count + 2)) }
    }
}
