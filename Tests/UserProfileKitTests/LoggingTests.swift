import DataStoreCore
import ForecastAPI
import ForecastHTTP
import Logging
import Synchronization
import Testing
import UserProfileDomain
import UserProfileKit
import WebTesting

/// Tests of the information that is logged, and of the information that is never logged.
@Suite struct LoggingTests {
    /// Keeps all log messages.
    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
            lines.add("\(event.level) \(event.message) \(values.joined(separator: ", ")) \(metadata)")
        }
    }

    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: String { lines.withLock { $0.joined(separator: "\n") } }
        func removeAll() { lines.withLock { $0.removeAll() } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test("Events of a store are logged without its address")
    func storeEvents() async throws {
        let lines = Lines()
        let logger = Logger(label: "test") { _ in Handler(lines: lines) }
        let location = StorageLocation(kind: BoxStoreKind(), address: "secret-place")
        let storage = try await UserProfileStorage.open(location, logger: logger)
        await storage.close()
        #expect(lines.all.contains("notice a box was opened") && lines.all.contains("box"))
        #expect(!lines.all.contains("secret-place"))
    }

    @Test("No mail address, birthday or user is logged")
    func personalData() async throws {
        let lines = Lines()
        let logger = Logger(label: "test") { _ in Handler(lines: lines) }
        let (user, address) = (try UserID("secret-person"), try MailAddress("secret-address@example.com"))
        let store = MemoryDataStore()
        let source = HTTPForecastSource(try ForecastService(baseURL: "http://127.0.0.1:1"))
        let storage = try UserProfileStorage(store: store, source: source, logger: logger)
        try await storage.profiles.saveMailAddress(address, of: user)
        try await storage.profiles.saveBirthday(Birthday("1987-06-05"), of: user, now: .now)
        _ = try await storage.users.list()
        // Errors contain the rejected value. They are thrown to the caller but not logged.
        await #expect(throws: ValidationError.self) {
            try await storage.profiles.saveBirthday(Birthday("9876-05-04"), of: user, now: .now)
        }
        let key = try Key(collection: "users", id: user.text)
        try await store.write { transaction in
            try transaction.put(["mailAddress": .string("secret-address@@example.com")], for: key)
        }
        let error = await #expect(throws: RepositoryError.self) { try await storage.users.find(user) }
        #expect(error?.message.contains("secret-address") == true)
        try await storage.unitOfWork.perform { work in _ = try work.repository(of: User.self).delete(user) }
        await #expect(throws: RepositoryError.self) { try await storage.forecasts.refresh(CityCode("130010")) }
        await storage.close()
        await #expect(throws: RepositoryError.self) { try await storage.users.find(user) }

        let all = lines.all
        for secret in ["secret", "address@", "example.com", "1987", "06-05", "9876"] {
            #expect(!all.contains(secret), "\(all)")
        }
        // The log does contain what failed and the reason.
        for words in [
            "wrote records", "users", "duration", "a read failed", "corrupted", "closed the store", "130010",
            "unavailable",
        ] {
            #expect(all.contains(words), "\(all)")
        }
    }

    @Test("A line says the operation, the collection, the number of records and the duration")
    func transactions() async throws {
        let lines = Lines()
        let logger = Logger(label: "test") { _ in Handler(lines: lines) }
        let storage = try await UserProfileStorage.open(
            .memory, entities: [EntityType(Note.self, in: "notes", indexes: [.on(\.title)])], logger: logger)
        let notes = try storage.repository(of: Note.self)
        lines.removeAll()
        try await notes.save(contentsOf: (0..<3).map { Note(id: $0, title: "a") })
        try await notes.save(Note(id: 3, title: "b"))
        _ = try await notes.find(7)
        _ = try await notes.list()
        try await storage.unitOfWork.perform { work in
            try work.repository(of: User.self).save(User(id: .me))
            _ = try work.repository(of: Note.self).deleteAll()
        }
        let found = lines.all.matches(
            of: /^trace (read|wrote) records .*"collection": (\w+), "count": (\d+), "duration": \d.*"operation": (\w+)/
                .anchorsMatchLineEndings())
        #expect(
            found.map { "\($0.output.4) \($0.output.3) \($0.output.2)" } == [
                "write 3 notes", "write 1 notes", "read 0 notes", "read 4 notes", "write 4 notes", "write 1 users",
            ], "\(lines.all)")
    }

    @Test("A repeated count of an index alone names its collection, although the state of the index is cached")
    func cachedIndex() async throws {
        let lines = Lines()
        let logger = Logger(label: "test") { _ in Handler(lines: lines) }
        let directory = try TemporaryDirectory()
        let storage = try await UserProfileStorage.open(
            .lmdb(directory.path("store")),
            entities: [EntityType(Note.self, in: "notes", indexes: [.on(\.title)])], logger: logger)
        let notes = try storage.repository(of: Note.self)
        try await notes.save(Note(id: 1, title: "a"))
        for _ in 0..<3 {
            lines.removeAll()
            #expect(try await notes.count(where: \.title == "a") == 1)
            #expect(lines.all.contains("\"collection\": notes"), "\(lines.all)")
        }
        await storage.close()
    }

    @Test("Without the level trace, a success is not logged and a failure is")
    func failuresOnly() async throws {
        let lines = Lines()
        var logger = Logger(label: "test") { _ in Handler(lines: lines) }
        logger.logLevel = .warning
        let store = MemoryDataStore()
        let storage = try UserProfileStorage(store: store, logger: logger)
        try await storage.users.save(User(id: .me))
        #expect(lines.all.isEmpty)
        await store.close()
        await #expect(throws: RepositoryError.self) { try await storage.users.find(.me) }
        #expect(lines.all.contains("a read failed"))
    }

    private struct Note: Codable, Identifiable, Sendable, Queryable {
        let id: Int
        var title: String
        static let fields = EntityFields(of: Note.self)
    }

    @Test("Opening and a failed fetch are logged")
    func fetches() async throws {
        let lines = Lines()
        let logger = Logger(label: "test") { _ in Handler(lines: lines) }
        let document =
            #"{"title": "", "publicTime": "2024-01-15T11:00:00Z", "forecasts": ["#
            + #"{"date": "2024-01-15", "dateLabel": ""}, {"date": "2024-01-16", "dateLabel": null}]}"#
        try await WebServer.run { call in
            call.path.hasSuffix("270000") ? .init(text: document) : .init(404)
        } _: { server in
            // The server may be slow on a busy machine.
            var options = FetchOptions()
            (options.idleTimeout, options.timeout) = (.seconds(600), .seconds(600))
            let source = HTTPForecastSource(try ForecastService(baseURL: server.url), options: options)
            let storage = try await UserProfileStorage.open(.memory, source: source, logger: logger)
            try await storage.forecasts.refresh(CityCode("270000"))
            await #expect(throws: RepositoryError.self) { try await storage.forecasts.refresh(CityCode("130010")) }
            await storage.close()
        }
        for words in ["opened the store", "a forecast lacks days", "unavailable"] {
            #expect(lines.all.contains(words), "\(lines.all)")
        }
    }
}
