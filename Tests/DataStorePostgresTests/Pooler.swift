import Foundation
import Testing

/// A PgBouncer between programs and the server, on Unix sockets. It is stopped together with the object.
final class Pooler {
    /// The program, or `nil` if it is not installed.
    static let path = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"]
        .first(where: FileManager.default.isExecutableFile)

    /// The URI of the server through the pooler.
    let uri: String

    private let directory: URL
    private let process = Process()

    /// Starts a pooler.
    ///
    /// - Parameters:
    ///   - server: The URI of the server.
    ///   - mode: When a client gives a connection to the server back: `session` or `transaction`.
    ///   - size: The number of connections to the server.
    /// - Throws: An error if the pooler does not start.
    init(to server: String, mode: String, size: Int) throws {
        let components = try #require(URLComponents(string: server))
        let encoded = try #require(components.percentEncodedHost)
        let host = try #require(encoded.removingPercentEncoding)
        let port = components.port ?? 5432
        // The path of a socket must be short.
        directory = URL(filePath: "/tmp/pooler-\(String(UInt32.random(in: .min ... .max), radix: 36))")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
        // The attributes of a new directory are limited by the umask.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory.path)
        let configuration = directory.appending(path: "pgbouncer.ini")
        try """
        [databases]
        * = host=\(host) port=\(port) user=\(components.user ?? "postgres")
        [pgbouncer]
        listen_addr =
        listen_port = \(port)
        unix_socket_dir = \(directory.path)
        auth_type = any
        pool_mode = \(mode)
        default_pool_size = \(size)
        """.write(to: configuration, atomically: false, encoding: .utf8)
        let pooler = try #require(directory.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        uri = server.replacing(encoded, with: pooler)
        process.executableURL = URL(filePath: try #require(Self.path))
        // PgBouncer refuses to run as root.
        process.arguments = (geteuid() == 0 ? ["-q", "-u", "postgres"] : ["-q"]) + [configuration.path]
        process.standardError = FileHandle.nullDevice
        try process.run()
        let socket = directory.appending(path: ".s.PGSQL.\(port)").path
        while process.isRunning, !FileManager.default.fileExists(atPath: socket) { usleep(10_000) }
        try #require(process.isRunning)
    }

    deinit {
        // The process inherits blocked signals from the thread that starts it.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: directory)
    }
}
