import RawHTTP
import Testing
import UserProfileKit

@testable import Studio

@Suite(.timeLimit(.minutes(5))) struct LiveTests {
    @Test(
        "A save appears as an event of each page that shows it",
        arguments: ["/profiles/events", "/profile/events?id=me", "/birthdays/events"])
    func change(_ path: String) async throws {
        try await RunningStudio.run { studio in
            let cookie = try await studio.signIn()
            let request = "GET \(path) HTTP/1.1\r\nHost: \(studio.host)\r\nCookie: \(cookie)\r\n\r\n"
            // The first event stands for changes between the page and the request.
            let first = try await RawRequest.response(to: request, at: studio.port) { $0.contains("event: change") }
            #expect(first.field("Content-Type") == "text/event-stream")
            let events = "event: change\ndata:\n\n"
            async let second = RawRequest.response(to: request, at: studio.port) { $0.ranges(of: events).count == 2 }
            var saved = 0
            // The moment from which the studio observes the store is unknown, so several saves follow.
            while saved < 100 {
                saved += 1
                try await studio.storage.profiles.saveBirthday(
                    Birthday(CalendarDate(year: 1900 + saved, month: 1, day: 1)), now: RunningStudio.now)
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(try await second.ranges(of: events).count == 2)
        }
    }

    @Test("A profile that is created on another page changes the number of all profiles")
    func total() async throws {
        try await RunningStudio.run { studio in
            for number in 0..<60 { try await studio.storage.users.save(User(id: try UserID("a-\(number + 10)"))) }
            let counts = RecordCounts(studio.storage)
            let total = await LiveValue(nil, counts.updates(of: .init(collection: "users")))
            while await total.value != 60 { try await Task.sleep(for: .milliseconds(5)) }
            try await studio.storage.users.save(User(id: UserID("z")))
            while await total.value != 61 { try await Task.sleep(for: .milliseconds(5)) }
            let count = try await counts.count(.init(collection: "users"))
            #expect(count == RecordCounts.Count(number: 61, isCurrent: true))
        }
    }

    @Test("A page that is not shown any more keeps no model")
    @MainActor func lifetime() async throws {
        let storage = try await UserProfileStorage.open(.memory)
        var user: LiveEntity<User>? = LiveEntity(.me, in: storage.users)
        weak let released = user
        var observation: PageObservation? = PageObservation { [user] in
            user?.isReady ?? false
        } changed: {
        }
        user = nil
        #expect(released != nil && observation != nil)
        observation = nil
        #expect(released == nil)
        await storage.close()
    }
}
