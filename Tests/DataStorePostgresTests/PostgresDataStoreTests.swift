import DataStoreCore
import DataStorePostgres
import DataStoreQueries
import DataStoreTesting
import Testing
import UserProfileData
import UserProfileDomain
import UserProfileKit

@Suite(.enabled(if: PostgresSubject.server != nil, "USERPROFILE_TEST_POSTGRES names no server"))
struct PostgresDataStoreTests {
    private let key: Key

    init() throws { key = try Key(collection: "c", id: "id") }

    @Test(
        "The store fulfills the contract",
        arguments: DataStoreConformance.persistent + DataStoreConformance.writeQueueCases)
    func contract(_ requirement: DataStoreConformance) async throws {
        try await requirement.check { PostgresSubject() }
    }

    @Test("Opening, reading and removing nothing create no table")
    func noTables() async throws {
        let subject = PostgresSubject()
        let store = try await subject.open()
        #expect(try await store.record(for: key) == nil)
        let existed = try await store.write { [key] in try $0.remove(key) }
        #expect(!existed)
        #expect(try await store.generation() == 0)
        let found = try PlainPostgres().run("SELECT nspname FROM pg_namespace WHERE nspname = '\(subject.schema)'")
        #expect(found == [])
        await store.close()
    }

    @Test("The server estimates the size of a large collection")
    func sizes() async throws {
        let store = try await PostgresSubject().open()
        try await store.write { transaction in
            for number in 0..<12_000 { try transaction.put([:], for: Key(collection: "c", id: "\(number)")) }
        }
        let size = try #require(try await store.read { try $0.estimatedCount(of: "c") })
        #expect(size.number > 10_000 && !size.isExact)
        await store.close()
    }

    @Test("A schema with tables of another program is rejected and left unchanged")
    func foreignSchema() async throws {
        let subject = PostgresSubject()
        let server = try PlainPostgres()
        try server.run("CREATE SCHEMA \(subject.schema); CREATE TABLE \(subject.schema).kv (theirs text)")
        let error = await #expect(throws: DataStoreError.self) { try await subject.open() }
        #expect(error?.code == .notAStore)
        let names = try server.run(
            "SELECT relname FROM pg_class WHERE relnamespace = '\(subject.schema)'::regnamespace")
        #expect(names == ["kv"])
    }

    @Test("If one table of a store is missing, opening names it", arguments: ["kv", "meta", "writers"])
    func missingTable(_ table: String) async throws {
        let subject = PostgresSubject()
        let store = try await subject.open()
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        await store.close()
        try PlainPostgres().run("DROP TABLE \(subject.schema).\(table)")
        let error = await #expect(throws: DataStoreError.self) { try await subject.open() }
        #expect(error?.code == .corrupted)
        #expect(error?.reason.contains("the table \(table) is missing") == true)
    }

    @Test("A store is created in an empty schema")
    func emptySchema() async throws {
        let subject = PostgresSubject()
        try PlainPostgres().run("CREATE SCHEMA \(subject.schema)")
        let store = try await subject.open()
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        #expect(try await store.record(for: key) == ["n": .integer(1)])
        await store.close()
    }

    @Test("A store that a newer program creates meanwhile is rejected by each call and left unchanged")
    func newerStore() async throws {
        let subject = PostgresSubject()
        let (store, newer) = (try await subject.open(), try await subject.open())
        try await newer.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        try await subject.raiseFormatVersion()
        let before = try await subject.snapshot()
        for _ in 1...2 {
            let calls: [() async throws -> Void] = [
                { [key] in _ = try await store.record(for: key) },
                { [key] in try await store.write { try $0.put([:], for: key) } },
            ]
            for call in calls {
                let error = try await storeError(call)
                #expect(error?.code == .unsupportedFormat)
            }
        }
        #expect(try await subject.snapshot() == before)
        for store in [store, newer] { await store.close() }
    }

    @Test(
        "An invalid URI is rejected, and the error contains no password",
        arguments: [
            "postgres://user:secret@host/db", "postgres://host/db?password=secret",
            "postgres://host/db?p%61ssword=secret", "postgres://user:a/b?secret@host/db",
            "postgres://host/db?sslpassword=secret", "postgres://host/db?oauth_client_secret=secret",
            "mysql://user@host/db", "host=/tmp", "",
            "postgres://host/db?schema=%zz", "postgres://host/db?schema=", "postgres://host/db?unknown=1",
        ])
    func invalidURI(_ uri: String) async throws {
        let error = await #expect(throws: DataStoreError.self) { try await PostgresDataStore(uri) }
        #expect(error?.code == .notAStore)
        #expect(error?.description.contains("secret") == false)
    }

    @Test("Of concurrent writes, only the one that would replace a damaged record fails")
    func damagedRecord() async throws {
        let subject = PostgresSubject()
        let store = try await subject.open()
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        try await subject.damage(key)
        let codes = await withTaskGroup(of: DataStoreError.Code?.self) { group in
            for number in 0..<40 {
                group.addTask { [key] in
                    let key = number == 20 ? key : Key(stored: "\(number)", in: "others")
                    do {
                        try await store.write { try $0.put(["n": .integer(2)], for: key) }
                        return nil
                    } catch {
                        return (error as? DataStoreError)?.code ?? .misuse
                    }
                }
            }
            return await group.reduce(into: [DataStoreError.Code]()) { if let code = $1 { $0.append(code) } }
        }
        #expect(codes == [.corrupted])
        #expect(try await store.read { try $0.records(in: Scan("others")).count } == 39)
        await store.close()
    }

    @Test("A server that cannot be reached causes an error with the address")
    func unreachable() async throws {
        // An `@` in a parameter is not part of a password.
        let refusal = await #expect(throws: DataStoreError.self) {
            try await PostgresDataStore("postgres://127.0.0.1:1/db?user=name@realm")
        }
        #expect(refusal?.code == .unavailable)
        #expect(refusal.map { Failure($0).kind } == .unavailable)
        let error = await #expect(throws: DataStoreError.self) {
            try await PostgresDataStore("postgres:///db?host=/nonexistent")
        }
        #expect(error?.code == .unavailable)
        #expect(error?.path == "postgres:///db?host=/nonexistent&schema=profiles")
    }

    @Test("A server that answers with a copy operation is rejected", .timeLimit(.minutes(1)))
    func copyAnswer() async throws {
        let relay = try ServerRelay(to: PostgresSubject.server ?? "")
        defer { relay.stop() }
        // CopyOutResponse without columns.
        relay.answerNextQuery(with: [0x48, 0, 0, 0, 7, 0, 0, 0])
        let error = await #expect(throws: DataStoreError.self) { _ = try await PostgresDataStore(relay.uri) }
        #expect(error?.code == .unavailable)
        #expect("\(error as Any)".contains("unexpected result"))
    }

    @Test("A user without privileges gets the same error from each write, and can write when they are granted")
    func missingPrivileges() async throws {
        let subject = PostgresSubject()
        let user = "u_\(subject.schema)"
        let server = try PlainPostgres()
        try server.run("CREATE ROLE \(user) LOGIN")
        let uri = subject.uri.replacing("//postgres@", with: "//\(user)@")
        try #require(uri != subject.uri)
        let store = try await PostgresDataStore(uri)
        func write() async throws { try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) } }
        func expectRejection() async {
            let error = await #expect(throws: DataStoreError.self) { try await write() }
            #expect(error?.code == .readOnly)
        }
        // The user may not create the schema.
        for _ in 1...2 { await expectRejection() }
        let other = try await subject.open()
        try await other.write { [key] in try $0.put(["n": .integer(2)], for: key) }
        // The user may not use the schema.
        for _ in 1...4 { await expectRejection() }
        #expect(try await other.record(for: key) == ["n": .integer(2)])
        try server.run(
            """
            GRANT USAGE ON SCHEMA \(subject.schema) TO \(user);
            GRANT ALL ON ALL TABLES IN SCHEMA \(subject.schema) TO \(user)
            """)
        try await write()
        #expect(try await store.record(for: key) == ["n": .integer(1)])
        for store in [store, other] as [any DataStore] { await store.close() }
        try server.run("DROP OWNED BY \(user); DROP ROLE \(user)")
    }

    @Test("Writes fail with busy while another session locks the table")
    func lockedTable() async throws {
        let subject = PostgresSubject()
        let options = PostgresDataStore.Options(timeout: .seconds(1), statementTimeout: .seconds(1))
        let store = try await PostgresDataStore(subject.uri, options: options)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let server = try PlainPostgres()
        try server.run("BEGIN; LOCK TABLE \(subject.schema).kv IN ACCESS EXCLUSIVE MODE")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<3 {
                group.addTask { [key] in
                    let error = await #expect(throws: DataStoreError.self) {
                        try await store.write { try $0.put(["n": .integer(Int64(number))], for: key) }
                    }
                    #expect(error?.code == .busy)
                }
            }
        }
        try server.run("ROLLBACK")
        #expect(try await store.record(for: key) == ["n": .integer(1)])
        await store.close()
    }

    @Test("If all rows of the table writers are in use, another store adds one")
    func additionalWriter() async throws {
        let subject = PostgresSubject()
        let first = try await subject.open()
        try await first.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let server = try PlainPostgres()
        let key = "('\(subject.schema).writers'::regclass::bigint - 2147483648)::int"
        try server.run("SELECT pg_try_advisory_lock(\(key), slot) FROM \(subject.schema).writers")
        let second = try await subject.open()
        try await second.write { [key = self.key] in try $0.put(["n": .integer(2)], for: key) }
        let used = try server.run("SELECT slot FROM \(subject.schema).writers WHERE generation > 0 ORDER BY slot")
        #expect(used.count == 2)
        #expect(used.last == "64")
        #expect(try await first.record(for: self.key) == ["n": .integer(2)])
        for store in [first, second] { await store.close() }
    }

    /// A combining mark follows the quote, which forms one `Character` with it.
    @Test("The name of the schema may contain any character")
    func quotedSchema() async throws {
        let server = try #require(PostgresSubject.server)
        let uri = server + (server.contains("?") ? "&" : "?") + "schema=odd%20%22%CC%81name%27%20%3B$$"
        let store = try await PostgresDataStore(uri)
        try await store.write { [key] in try $0.put([:], for: key) }
        #expect(try await store.record(for: key) == Record())
        await store.close()
        try PlainPostgres().run("DROP SCHEMA \"odd \"\"\u{301}name' ;$$\" CASCADE")
    }

    @Test("Terminating all sessions between calls loses nothing, and later calls succeed")
    func terminatedSessions() async throws {
        let subject = PostgresSubject()
        let store = try await subject.open()
        for number in 1...5 {
            try await store.write { [key] in try $0.put(["n": .integer(Int64(number))], for: key) }
            // The reader and the writer use the same session.
            #expect(try terminateSessions(of: subject) == 1)
            #expect(try await store.record(for: key) == ["n": .integer(Int64(number))])
            #expect(try terminateSessions(of: subject) == 1)
            let again = try await store.read { [key] in try $0.record(for: key) }
            #expect(again == ["n": .integer(Int64(number))])
        }
        await store.close()
    }

    @Test("A read continues in a new session only if its closure has not seen an answer")
    func sessionsLostDuringRead() async throws {
        let subject = PostgresSubject()
        let store = try await subject.open()
        let keys = [key, try Key(collection: "c", id: "other")]
        try await store.write { for key in keys { try $0.put(["id": .string(key.id)], for: key) } }
        // A connection that has seen no store prefetches nothing.
        _ = try await store.record(for: key)
        // The server has answered the request for the prefetched record, but the closure first reads the other one.
        let found = try await store.read(prefetching: keys[1]) { transaction in
            try terminateSessions(of: subject)
            return try keys.map { try transaction.record(for: $0)?["id"] }
        }
        #expect(found == keys.map { .string($0.id) })
        // A scan requests its third page in advance, while the closure reads the record that was prefetched.
        let scanned = try (100..<260).map { try Key(collection: "many", id: "\($0)") }
        try await store.write { for key in scanned { try $0.put([:], for: key) } }
        _ = try await store.record(for: key)
        let (count, record) = try await store.read(prefetching: key) { [key] transaction in
            try terminateSessions(of: subject)
            var (count, record) = (0, Record?.none)
            try transaction.forEach(in: Scan("many")) { _, _ in
                count += 1
                if count == 100 { record = try transaction.record(for: key) }
                return .next
            }
            return (count, record)
        }
        #expect(count == scanned.count)
        #expect(record == ["id": .string(key.id)])
        for prefetched in keys {
            let error = await #expect(throws: DataStoreError.self) {
                try await store.read(prefetching: prefetched) { transaction in
                    _ = try transaction.record(for: keys[0])
                    try terminateSessions(of: subject)
                    _ = try transaction.record(for: keys[0])
                }
            }
            #expect(error?.code == .unavailable)
        }
        await store.close()
    }

    @Test("A find returns the right users after indexes are removed, rebuilt or invalidated, and after sessions end")
    func finds() async throws {
        let subject = PostgresSubject()
        let store = try await PostgresDataStore(subject.uri)
        let mapping = User.mapping()
        let schema = try Schema([mapping.schemaCollection])
        let users = try SchemaStore(store, schema: schema).repository(mapping: mapping)
        let address = try MailAddress("a@example.com")
        func check(_ count: Int) async throws {
            let found = try await users.find(Query(where: \.mailAddress == address)).entities
            #expect(found.map(\.id.text) == (0..<count).map { "user \($0)" })
            let others = try await users.find(Query(where: \.birthday == nil, limit: 1)).entities
            #expect(others.count == min(count, 1))
        }
        for round in 0..<4 {
            try await users.save(User(id: UserID("user \(round)"), mailAddress: address))
            for _ in 1...2 { try await check(round + 1) }
            switch round {
            case 0:
                // The entries of a new index are in another collection.
                let other = SchemaStore(try await PostgresDataStore(subject.uri), schema: schema)
                for index in mapping.indexes { try await other.removeIndex(of: mapping.collection, named: index.name) }
                try await check(round + 1)
                try await other.buildIndexes()
                await other.store.close()
            case 1: try terminateSessions(of: subject)
            // A write without the schema invalidates the indexes.
            case 2: try await store.write { [key] in try $0.put([:], for: key) }
            default: break
            }
            for _ in 1...2 { try await check(round + 1) }
        }
        // The third lookup requests entries in advance, but no state, because the first one has read the state.
        let lookups = mapping.indexes.map { FieldLookup("", FieldMapping($0.field), in: $0, of: mapping.collection) }
        for _ in 1...2 {
            let count = try await store.read { transaction in
                var count = 0
                for lookup in [lookups[0], lookups[1], lookups[0]] {
                    _ = try lookup.forEachView(of: .string(address.text), in: transaction) { _, _ in count += 1 }
                }
                return count
            }
            #expect(count == 8)
        }
        await store.close()
    }

    /// Ends all sessions of a store on the server, and waits until they have ended.
    ///
    /// - Returns: The number of sessions.
    @discardableResult
    private func terminateSessions(of subject: PostgresSubject) throws -> Int {
        try PlainPostgres().run(
            """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
            WHERE application_name = '\(subject.schema)'
            """
        ).count
    }

    @Test("A write that changes more records than one statement contains is stored completely")
    func largeWrites() async throws {
        let store = try await PostgresSubject().open()
        let keys = try (10_000..<20_500).map { try Key(collection: "c", id: "\($0)") }
        for number in 1...2 {
            try await store.write { for key in keys { try $0.put(["n": .integer(Int64(number))], for: key) } }
            #expect(try await store.numbers(in: "c") == Array(repeating: Int64(number), count: keys.count))
        }
        try await store.write {
            for key in keys.dropFirst(100) { _ = try $0.remove(key) }
            for key in keys.prefix(50) { try $0.put(["n": .integer(3)], for: key) }
        }
        #expect(try await store.numbers(in: "c") == Array(repeating: 3, count: 50) + Array(repeating: 2, count: 50))
        await store.close()
    }

    @Test("A write can follow a scan that ends early")
    func interruptedScan() async throws {
        let store = try await PostgresSubject().open()
        let keys = try (1000..<2000).map { try Key(collection: "c", id: "\($0)") }
        try await store.write { for key in keys { try $0.put(["n": .integer(1)], for: key) } }
        for _ in 1...2 {
            try await store.write {
                var count = 0
                try $0.forEach(in: Scan("c")) { _, _ in
                    count += 1
                    return count == 300 ? .stop : .next
                }
                try $0.put(["n": .integer(2)], for: keys[0])
            }
        }
        #expect(try await store.numbers(in: "c") == [2] + Array(repeating: 1, count: 999))
        await store.close()
    }
}

extension DataStore {
    /// Returns the field `n` of all records of a collection, in the order of their keys.
    fileprivate func numbers(in collection: String) async throws -> [Int64] {
        try await read { transaction in
            var numbers: [Int64] = []
            try transaction.forEach(in: Scan(collection)) { _, record in
                if case .integer(let number) = record["n"] { numbers.append(number) }
                return .next
            }
            return numbers
        }
    }
}
