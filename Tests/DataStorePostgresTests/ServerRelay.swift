import Foundation
import Synchronization
import Testing

/// A relay between programs and the server, on Unix sockets. It counts round trips: how often a program sends a request
/// after an answer. It can also lose or replace an answer.
final class ServerRelay: Sendable {
    /// The message that only ends a transaction. A program does not wait for its answer.
    private static let sync: [UInt8] = [0x53, 0, 0, 0, 4]

    /// The URI of the server through the relay.
    let uri: String

    private let directory: URL
    private let listener: Int32
    private let total = Mutex(0)
    private let whenCommitted = Mutex<(@Sendable () -> Void)?>(nil)
    private let silencing = Mutex<[UInt8]?>(nil)
    private let queryAnswer = Mutex<[UInt8]?>(nil)

    init(to server: String) throws {
        let components = try #require(URLComponents(string: server))
        let encoded = try #require(components.percentEncodedHost)
        let host = try #require(encoded.removingPercentEncoding)
        let name = ".s.PGSQL.\(components.port ?? 5432)"
        // The path of a socket must be short.
        directory = URL(filePath: "/tmp/relay-\(String(UInt32.random(in: .min ... .max), radix: 36))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        let relay = try #require(directory.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        uri = server.replacing(encoded, with: relay)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let descriptor = listener
        let code = unsafe Self.address(directory.appending(path: name).path) { unsafe bind(descriptor, $0, $1) }
        try #require(code == 0)
        try #require(listen(listener, 8) == 0)
        Thread.detachNewThread { [listener, self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                let code = unsafe Self.address("\(host)/\(name)") { unsafe connect(connection, $0, $1) }
                Thread.detachNewThread {
                    if code == 0 { self.relay(client, connection) }
                    close(client)
                    close(connection)
                }
            }
            close(listener)
        }
    }

    /// Stops accepting connections. Open ones end with their program.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(at: directory)
    }

    /// Returns the round trips of a closure. It runs twice before, so that connections are open, statements are
    /// prepared, and the store knows the states of its indexes.
    func count(_ body: () async throws -> Void) async throws -> Int {
        for _ in 1...2 { try await body() }
        let before = total.withLock { $0 }
        try await body()
        return total.withLock { $0 } - before
    }

    /// Discards the server's answer to the next commit, runs a closure, and closes the connection.
    func loseNextCommit(_ body: @escaping @Sendable () -> Void) { whenCommitted.withLock { $0 = body } }

    /// Answers the next statements that are not prepared, e.g. those that configure a session, with the given message.
    func answerNextQuery(with message: [UInt8]) { queryAnswer.withLock { $0 = message } }

    /// Keeps the connection open that next sends a message with the given text, but passes on neither this message nor
    /// anything after it.
    func silence(after text: String) { silencing.withLock { $0 = Array(text.utf8) } }

    private func isSilenced(by message: ArraySlice<UInt8>) -> Bool {
        silencing.withLock { silencing in
            guard let text = silencing, text.isEmpty || message.contains(text) else { return false }
            silencing = nil
            return true
        }
    }

    private func relay(_ client: Int32, _ server: Int32) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var isAnswered = true
        var whenAnswered: (@Sendable () -> Void)?
        while true {
            var polled = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard unsafe poll(&polled, 2, -1) > 0 else { return }
            for (source, sink) in [(0, server), (1, client)] where polled[source].revents != 0 {
                let count = unsafe read(polled[source].fd, &buffer, buffer.count)
                guard count > 0 else { return }
                if source == 0, isSilenced(by: buffer[..<count]) {
                    while unsafe read(client, &buffer, buffer.count) > 0 {}
                    return
                }
                // The message `Parse` contains its length and the name of the prepared statement.
                let isUnnamed = buffer[0] == UInt8(ascii: "P") && buffer[5] == 0
                if source == 0, isUnnamed, let answer = queryAnswer.withLock({ $0.take() }) {
                    guard unsafe answer.withUnsafeBytes({ unsafe send(client, $0.baseAddress, $0.count, 0) }) > 0 else {
                        return
                    }
                    continue
                }
                if source == 1 {
                    isAnswered = true
                    if let whenAnswered { return whenAnswered() }
                } else if isAnswered, Array(buffer[..<count]) != Self.sync {
                    isAnswered = false
                    total.withLock { $0 += 1 }
                    // The message contains the name of the prepared statement.
                    if buffer[..<count].contains(Array("commit\0".utf8)) {
                        whenAnswered = whenCommitted.withLock { $0.take() }
                    }
                }
                var sent = 0
                while sent < count {
                    let written = unsafe buffer[sent..<count].withUnsafeBytes {
                        unsafe send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard written > 0 else { return }
                    sent += written
                }
            }
        }
    }

    /// Passes the address of a Unix socket to a closure.
    private static func address(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8.prefix(107)) }
        return unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
