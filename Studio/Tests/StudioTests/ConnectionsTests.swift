import RawHTTP
import Testing
import UserProfileKit

@testable import Studio

/// Many connections at a time, of other users of the machine or of the browser.
@Suite struct ConnectionsTests {
    /// Opens connections and sends a request on each.
    private func open(_ count: Int, to studio: RunningStudio, request: String = "") async throws -> [RawConnection] {
        try await RawConnection.blocking {
            try (0..<count).map { _ in
                let connection = try RawConnection(port: studio.port)
                connection.send(request)
                return connection
            }
        }
    }

    @Test("Connections without the cookie do not keep the browser out", arguments: ["", "GET /profiles HTTP/1.1\r\n"])
    func strangers(_ request: String) async throws {
        try await RunningStudio.run { studio in
            let strangers = try await open(2 * Connections.maximumCount, to: studio, request: request)
            let cookie = try await studio.signIn()
            #expect(try await studio.get("/profiles", cookie: cookie).status == 200)
            withExtendedLifetime(strangers) {}
        }
    }

    @Test("A connection that does not send the cookie ends, and one that has sent it remains")
    func timeout() async throws {
        try await RunningStudio.run { studio in
            let cookie = try await studio.signIn()
            let request = "GET /profiles HTTP/1.1\r\nHost: \(studio.host)\r\nCookie: \(cookie)\r\n"
            let known = try await open(1, to: studio, request: request + "\r\n")[0]
            #expect(try await RawConnection.blocking { known.receiveResponse() }.status == 200)
            for stranger in ["", "GET /profiles HTTP/1.1\r\nHost: \(studio.host)\r\n\r\n", request] {
                let connection = try await open(1, to: studio, request: stranger)[0]
                #expect(try await RawConnection.blocking { connection.receiveEnd() }, "\(stranger)")
            }
            // The connections that were opened later have ended.
            known.send(request + "\r\n")
            #expect(try await RawConnection.blocking { known.receiveResponse() }.status == 200)
        }
    }

    @Test("Event streams leave connections for pages, and the oldest one ends")
    func streams() async throws {
        try await RunningStudio.run { studio in
            let cookie = try await studio.signIn()
            let request = "GET /profile/events?id=me HTTP/1.1\r\nHost: \(studio.host)\r\nCookie: \(cookie)\r\n\r\n"
            var streams: [RawConnection] = []
            for _ in 0..<(2 * Connections.maximumCount) {
                let stream = try await open(1, to: studio, request: request)[0]
                #expect(try await RawConnection.blocking { stream.receive() }.isEmpty == false)
                streams.append(stream)
            }
            #expect(try await studio.get("/profiles", cookie: cookie).status == 200)
            let (oldest, newest) = (streams[0], streams[streams.count - 1])
            #expect(try await RawConnection.blocking { oldest.receiveEnd() })
            try await studio.storage.users.save(User(id: .me))
            #expect(try await RawConnection.blocking { newest.receive() }.isEmpty == false)
        }
    }

    @Test("A port that is in use is an error that names it and the option")
    func port() async throws {
        try await RunningStudio.run { studio in
            try await UserProfileStorage.open(.memory).closing { storage in
                let second = try await Studio(storage, at: .memory, isWritable: false)
                let error = await #expect(throws: ListenError.self) {
                    try await second.run(port: studio.port) { _ in Issue.record("the port was opened twice") }
                }
                #expect(error?.isForbidden == false)
                #expect(error?.description.contains("127.0.0.1:\(studio.port)") == true)
                #expect(error?.description.contains("--port") == true)
            }
        }
    }
}
