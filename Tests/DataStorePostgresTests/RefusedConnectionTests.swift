import DataStoreCore
import DataStorePostgres
import Testing
import TortureKit

/// Tests of servers that refuse or limit a session.
@Suite(.enabled(if: PostgresSubject.server != nil, "USERPROFILE_TEST_POSTGRES names no server"))
struct RefusedConnectionTests {
    private let subject = PostgresSubject()

    /// The languages of messages in which the server can answer. The tests of one that it lacks are skipped.
    static let installedLanguages = ["C", "de_DE.UTF-8"].filter(isInstalled)

    private static func isInstalled(_ language: String) -> Bool {
        do {
            let sql =
                "SELECT count(*) FROM pg_collation WHERE replace(lower(collname), '-', '') = lower($$\(language)$$)"
            let name = language.replacing("-", with: "")
            return try PlainPostgres().run(sql.replacing(language, with: name)) != ["0"]
        } catch {
            return false
        }
    }

    @Test("The language of the server's messages does not change the error", arguments: installedLanguages)
    func languages(_ language: String) async throws {
        let server = try PlainPostgres()
        let (user, guest) = ("u_\(subject.schema)", "g_\(subject.schema)")
        try server.run("ALTER SYSTEM SET lc_messages = '\(language)'")
        try server.run("SELECT pg_reload_conf()")
        try server.run(
            """
            CREATE ROLE \(user) LOGIN CONNECTION LIMIT 0; CREATE ROLE \(guest) NOLOGIN;
            """)
        let uri = subject.uri
        let refusals: [(String, DataStoreError.Code, String)] = [
            (uri.replacing("/postgres?", with: "/missing?"), .notAStore, "3D000"),
            (uri.replacing("//postgres@", with: "//missing@"), .unavailable, "28000"),
            (uri.replacing("//postgres@", with: "//\(guest)@"), .unavailable, "28000"),
            (uri.replacing("//postgres@", with: "//\(user)@"), .full, "53300"),
        ]
        for (uri, code, state) in refusals {
            try #require(uri != subject.uri)
            let error = await #expect(throws: DataStoreError.self) { try await PostgresDataStore(uri) }
            #expect(error?.code == code)
            #expect(error?.reason.contains("(SQLSTATE \(state))") == true, "\(error as Any)")
            #expect(error?.reason.contains(".c:") == false)
        }
        try server.run("ALTER SYSTEM RESET lc_messages")
        try server.run("SELECT pg_reload_conf()")
        try server.run("DROP ROLE \(user); DROP ROLE \(guest)")
    }

    @Test("Messages of the server at the start of a session are not printed")
    func notices() async throws {
        let uri = subject.uri + "&options=-c%20client_min_messages%3Ddebug5"
        let outcome = try await TortureProgram.run(["--store", "postgres", "share", uri, "0", "1"])
        #expect(outcome.isDone)
        #expect(outcome.error == "")
    }

    @Test("A server whose default is read-only can be read, and a write names the setting")
    func readOnlyDefault() async throws {
        let key = try Key(collection: "c", id: "id")
        let writer = try await subject.open()
        try await writer.write { try $0.put(["n": .integer(1)], for: key) }
        let uri = subject.uri + "&options=-c%20default_transaction_read_only%3Don"
        let store = try await PostgresDataStore(uri)
        #expect(try await store.record(for: key) == ["n": .integer(1)])
        #expect(try await store.generation() == 1)
        let error = await #expect(throws: DataStoreError.self) {
            try await store.write { try $0.put(["n": .integer(2)], for: key) }
        }
        #expect(error?.code == .readOnly)
        #expect(error?.reason.contains("default_transaction_read_only") == true)
        #expect(try await writer.record(for: key) == ["n": .integer(1)])
        for store in [writer, store] { await store.close() }
    }

    @Test("A host that accepts a connection and does not answer is passed over", .timeLimit(.minutes(1)))
    func silentHost() async throws {
        let server = try #require(PostgresSubject.server)
        let relay = try ServerRelay(to: server)
        defer { relay.stop() }
        func host(_ uri: String) throws -> String {
            try #require(uri.split(separator: "@").last?.split(separator: "/").first.map(String.init))
        }
        let both = server.replacing(try host(server), with: "\(try host(relay.uri)),\(try host(server))")
        relay.silence(after: "")
        let store = try await PostgresDataStore(subject.uri(of: both), options: .init(connectTimeout: .seconds(1)))
        #expect(try await store.generation() == 0)
        await store.close()
    }

    @Test(
        "A call ends although the server does not answer", .timeLimit(.minutes(1)),
        arguments: ["get", "change", "commit"])
    func silentServer(_ statement: String) async throws {
        let relay = try ServerRelay(to: PostgresSubject.server ?? "")
        defer { relay.stop() }
        // The server would have more time for a statement than the test.
        let options = PostgresDataStore.Options(timeout: .seconds(1), statementTimeout: .seconds(600))
        let store = try await PostgresDataStore(subject.uri(of: relay.uri), options: options)
        let key = try Key(collection: "c", id: "id")
        try await store.write { try $0.put(["n": .integer(1)], for: key) }
        _ = try await store.record(for: key)
        relay.silence(after: "\(statement)\0")
        if statement == "commit" {
            // The relay has not passed the commit on.
            let error = await #expect(throws: DataStoreError.self) {
                try await store.write { try $0.put(["n": .integer(2)], for: key) }
            }
            #expect(error?.code == .unavailable)
        } else {
            let error = await #expect(throws: DataStoreError.self) {
                if statement == "get" {
                    _ = try await store.record(for: key)
                } else {
                    try await store.write {
                        for id in ["1", "2"] { try $0.put([:], for: Key(collection: "c", id: id)) }
                    }
                }
            }
            #expect(error?.code == .unavailable)
        }
        // The store remains usable.
        #expect(try await store.record(for: key) == ["n": .integer(1)])
        await store.close()
    }
}
