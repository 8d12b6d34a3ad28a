import DataStoreLMDB
import Foundation
import RawHTTP
import Synchronization
import Testing
import UserProfileKit

@testable import Studio

/// Page loads that are under way while profiles are saved.
@Suite struct BlockingTests {
    private static let pages = [
        "/profiles", "/profiles?where=mail+contains+x&sort=mail", "/profile?id=user-0", "/records?collection=users",
        "/birthdays",
    ]

    @Test("Saves complete while page loads are paused within their reads, which show the state before")
    func pausedReads() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "studio-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = HookedStore(try LMDBDataStore(path: directory.path))
        try await RunningStudio.run(store: store) { studio in
            for number in 0..<30 {
                let address = try MailAddress("x\(number)@example.com")
                try await studio.storage.users.save(User(id: try UserID("user-\(number)"), mailAddress: address))
            }
            let cookie = try await studio.signIn()
            let (paused, answered) = (Counter(), Counter())
            let gate = DispatchSemaphore(value: 0)
            store.pauseReads {
                paused.add()
                gate.wait()
                gate.signal()
            }
            try await withThrowingTaskGroup(of: String.self) { group in
                for path in Self.pages {
                    group.addTask {
                        let page = try await studio.get(path, cookie: cookie)
                        answered.add()
                        return page
                    }
                }
                while paused.count < Self.pages.count { try await Task.sleep(for: .milliseconds(5)) }
                store.pauseReads(by: nil)

                let saved = try await studio.post(
                    "/profile/mail?id=user-0", "mail=new@example.com&saved=x0%2540example.com", cookie: cookie)
                #expect(saved.status == 303)
                try await studio.storage.users.save(User(id: UserID("user-new")))
                #expect(answered.count == 0)
                gate.signal()

                for try await page in group {
                    #expect(page.status == 200)
                    #expect(!page.contains("new@example.com") && !page.contains("user-new"))
                }
            }
            #expect(try await studio.get("/profiles", cookie: cookie).contains("new@example.com"))
        }
    }

    @Test("Saves complete while browsers do not read the pages that they requested")
    func slowBrowsers() async throws {
        try await RunningStudio.run { studio in
            try await studio.storage.records.write { transaction in
                var record = Record()
                for number in 0..<100 { record["field\(number)"] = .string(String(repeating: "x", count: 300)) }
                for number in 0..<50 { try transaction.put(record, for: Key(collection: "wide", id: "\(number)")) }
            }
            let cookie = try await studio.signIn()
            // 1.5 MB each, of which the buffers of a connection hold only a part.
            let connections = try (0..<5).map { _ in
                let connection = try RawConnection(port: studio.port, bufferByteCount: 4096)
                connection.send(
                    "GET /records?collection=wide HTTP/1.1\r\nHost: \(studio.host)\r\nCookie: \(cookie)\r\n\r\n")
                return connection
            }
            let saved = try await studio.post("/profiles/create", "id=new", cookie: cookie)
            #expect(saved.status == 303)
            #expect(try await studio.storage.users.count() == 1)
            for connection in connections {
                let response = try await RawConnection.blocking { connection.receiveResponse() }
                #expect(response.hasSuffix("</html>\n"))
            }
        }
    }
}

private final class Counter: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
}
