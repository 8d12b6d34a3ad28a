import FlyingFox
import FlyingSocks
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A server that reads a request and then sends scripted bytes, whether HTTP or not.
public enum SocketServer {
    /// A step of a response.
    public enum Step: Sendable {
        /// Writes bytes.
        case send([UInt8])
        /// Waits.
        case pause(Duration)
        /// Closes the connection with a reset.
        case reset
        /// Keeps the connection open until the client closes it.
        case hold

        /// Returns a step that sends text.
        public static func text(_ text: String) -> Step { .send(Array(text.utf8)) }
    }

    /// Runs a closure with the address of a server that responds to each connection.
    ///
    /// - Parameters:
    ///   - steps: Returns the steps for a connection, given its number.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: The errors of the closure, or the reason why the server cannot listen.
    public static func run<Result>(
        _ steps: @escaping @Sendable (Int) -> [Step], _ body: (String) async throws -> Result
    ) async throws -> Result {
        let pool = HTTPServer.defaultPool()
        try await pool.prepare()
        let polling = Task { try await pool.run() }
        let socket = try Socket(domain: AF_INET)
        try socket.setValue(true, for: .localAddressReuse)
        try socket.bind(to: .inet(ip4: "127.0.0.1", port: 0))
        try socket.listen()
        guard let port = try socket.sockname().port else { throw NotListening() }
        let listener = try AsyncSocket(socket: socket, pool: pool)
        let serving = Task {
            await withTaskGroup(of: Void.self) { group in
                var number = 0
                while let connection = try? await listener.accept() {
                    let response = steps(number)
                    number += 1
                    group.addTask { await serve(response, on: connection) }
                }
                group.cancelAll()
            }
        }
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body("http://127.0.0.1:\(port)"))
        } catch {
            result = .failure(error)
        }
        serving.cancel()
        polling.cancel()
        await serving.value
        try listener.close()
        return try result.get()
    }

    /// The client may close the connection at any step; its behavior is what the test checks.
    private static func serve(_ steps: [Step], on connection: AsyncSocket) async {
        do {
            defer { try? connection.close() }
            var ending: [UInt8] = []
            while ending != Array("\r\n\r\n".utf8) {
                ending.append(try await connection.read())
                ending = ending.suffix(4)
            }
            for step in steps {
                switch step {
                case .send(let bytes): try await connection.write(Data(bytes))
                case .pause(let duration): try await Task.sleep(for: duration)
                case .reset: try connection.socket.setValue(.now, for: LingerOption())
                case .hold: while true { _ = try await connection.read() }
                }
            }
        } catch {}
    }

    /// SO_LINGER with a time of zero: closing the socket resets the connection.
    private struct LingerOption: SocketOption {
        enum Linger { case now }
        let level = SOL_SOCKET
        let name = SO_LINGER
        func makeValue(from socketValue: linger) -> Linger { .now }
        func makeSocketValue(from value: Linger) -> linger { linger(l_onoff: 1, l_linger: 0) }
    }
}
