import DataStoreCore
import Hummingbird
import RawHTTP
import Studio
import UserProfileKit

/// A studio that listens on a free port, over a store in memory.
struct RunningStudio: Sendable {
    /// The instant of all studios in tests: noon of a day in 2026.
    static let now = Instant(seconds: 1_780_000_000)

    let storage: UserProfileStorage
    let port: Int
    let token: String

    /// The host of valid requests.
    var host: String { "127.0.0.1:\(port)" }

    /// Starts a studio, passes it to a closure, and stops it.
    static func run(
        isWritable: Bool = true, source: (any ForecastSource)? = nil, store: (any DataStore)? = nil,
        _ body: @escaping @Sendable (RunningStudio) async throws -> Void
    ) async throws {
        let storage = try UserProfileStorage(store: store ?? MemoryDataStore(), source: source)
        let studio = try await Studio(storage, at: .memory, isWritable: isWritable, source: source) { now }
        let (addresses, opened) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let server = studio.server { address in opened.yield(address) }
                try await server.run()
            }
            group.addTask {
                var iterator = addresses.makeAsyncIterator()
                let address = await iterator.next() ?? ""
                let parts = address.split(whereSeparator: { ":/=".contains($0) })
                try await body(
                    RunningStudio(
                        storage: storage, port: Int(parts[2].prefix { $0 != "/" }) ?? 0, token: String(parts[4])))
            }
            // The server ends only when it is cancelled.
            try await group.next()
            group.cancelAll()
        }
        await storage.close()
    }

    /// Opens the printed address.
    ///
    /// - Returns: The cookie, `NAME=VALUE`.
    func signIn() async throws -> String {
        let response = try await get("/?token=\(token)", cookie: nil)
        let line = response.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie: ") } ?? ""
        return String(line.dropFirst("set-cookie: ".count).prefix { $0 != ";" })
    }

    /// Sends a GET request.
    func get(_ path: String, cookie: String?, fields: String = "") async throws -> String {
        let cookie = cookie.map { "Cookie: \($0)\r\n" } ?? ""
        return try await RawRequest.response(
            to:
                "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(cookie)\(fields)Connection: close\r\n\r\n", at: port)
    }

    /// Sends a form, by default as a page of the studio would.
    func post(
        _ path: String, _ body: String = "", cookie: String, fields: String = "Sec-Fetch-Site: same-origin\r\n"
    ) async throws -> String {
        try await RawRequest.response(
            to:
                """
                POST \(path) HTTP/1.1\r\nHost: \(host)\r\nCookie: \(cookie)\r\n\(fields)\
                Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\
                Connection: close\r\n\r\n\(body)
                """, at: port)
    }
}
