import DataStoreCore
import DataStorePostgres
import DataStoreTesting
import Testing
import UserProfileKit

/// Tests of servers whose tables do not behave as the store has created them.
@Suite(.enabled(if: PostgresSubject.server != nil, "USERPROFILE_TEST_POSTGRES names no server"))
struct ServerTablesTests {
    /// A trigger that drops or alters rows before the server stores them.
    struct Trigger: CustomTestStringConvertible {
        let table: String
        let event: String
        let body: String

        var testDescription: String { "\(event) ON \(table): \(body)" }
    }

    static let allTriggers = [
        Trigger(table: "kv", event: "INSERT", body: "RETURN NULL;"),
        Trigger(table: "kv", event: "INSERT", body: "NEW.v := set_byte(NEW.v, 7, 0); RETURN NEW;"),
        Trigger(table: "kv", event: "INSERT", body: "NEW.k := NEW.k || 'x'::bytea; RETURN NEW;"),
        Trigger(table: "kv", event: "UPDATE", body: "RETURN NULL;"),
        Trigger(table: "kv", event: "UPDATE", body: "RETURN OLD;"),
        Trigger(table: "kv", event: "DELETE", body: "RETURN NULL;"),
        Trigger(table: "writers", event: "UPDATE", body: "RETURN NULL;"),
        Trigger(table: "writers", event: "UPDATE", body: "NEW.tokens := OLD.tokens; RETURN NEW;"),
    ]

    @Test("A write whose rows a trigger drops or alters fails and changes nothing", arguments: allTriggers)
    func triggers(_ trigger: Trigger) async throws {
        let subject = PostgresSubject()
        let store = try await subject.open()
        let keys = try (0..<4).map { try Key(collection: "c", id: "\($0)") }
        let (stored, new) = (keys[..<2], keys[2...])
        try await store.write { for key in stored { try $0.put(["n": .integer(1)], for: key) } }
        let server = try PlainPostgres()
        let function = "\(subject.schema).change()"
        try server.run(
            """
            CREATE FUNCTION \(function) RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(trigger.body) END $$;
            CREATE TRIGGER change BEFORE \(trigger.event) ON \(subject.schema).\(trigger.table)
            FOR EACH ROW EXECUTE FUNCTION \(function)
            """)
        let before = try await subject.snapshot()
        func put(_ keys: some Sequence<Key> & Sendable, reading: Bool = false) async throws {
            try await store.write { transaction in
                if reading { for key in keys { _ = try transaction.record(for: key) } }
                for key in keys { try transaction.put(["n": .integer(2)], for: key) }
            }
        }
        let updates: [() async throws -> Void] = [
            { try await put(stored.prefix(1)) }, { try await put(stored) },
            // The changes and the commit share a round trip.
            { try await put(stored.prefix(1), reading: true) }, { try await put(stored, reading: true) },
        ]
        let inserts: [() async throws -> Void] = [{ try await put(new.prefix(1)) }, { try await put(new) }]
        let removals: [() async throws -> Void] = [
            { try await store.write { for key in stored { _ = try $0.remove(key) } } }
        ]
        let writes =
            switch (trigger.table, trigger.event) {
            case ("kv", "INSERT"): inserts + updates
            case ("kv", "UPDATE"): updates
            case ("kv", _): removals
            default: inserts + updates + removals
            }
        for write in writes {
            let error = try await storeError(write)
            #expect(error?.code == .inputOutput)
            #expect(error?.reason.contains("triggers") == true)
        }
        #expect(try await subject.snapshot() == before)
        // Without the trigger, the store is usable again.
        try server.run("DROP TRIGGER change ON \(subject.schema).\(trigger.table)")
        for write in updates + inserts + removals { try await write() }
        await store.close()
    }

    @Test("Duplicate keys are found by scans, reads and the check, wherever a page ends", arguments: 0..<34)
    func duplicates(_ index: Int) async throws {
        let subject = PostgresSubject()
        let store = try await subject.open()
        let keys = try (10..<50).map { try Key(collection: "c", id: "\($0)") }
        try await store.write { for key in keys { try $0.put(["n": .integer(1)], for: key) } }
        _ = try await store.record(for: keys[0])
        let server = try PlainPostgres()
        let table = "\(subject.schema).kv"
        // A damaged index of the server may contain the same key twice. The server still takes it for a unique index.
        try server.run(
            """
            ALTER TABLE \(table) DROP CONSTRAINT kv_pkey;
            INSERT INTO \(table) SELECT * FROM \(table) WHERE k = '\(PostgresSubject.literal(keys[index]))';
            CREATE INDEX kv_pkey ON \(table) (k);
            UPDATE pg_index SET indisunique = true, indisprimary = true
            WHERE indexrelid = '\(subject.schema).kv_pkey'::regclass
            """)
        let reads: [() async throws -> Void] = [
            { _ = try await store.read { try $0.records(in: Scan("c")) } },
            { _ = try await store.read { try $0.records(in: Scan("c", isReversed: true)) } },
            { _ = try await store.record(for: keys[index]) },
            { try await store.write { _ = try $0.record(for: keys[index]) } },
            { try await store.write { _ = try $0.removeAll(in: Scan("c")) } },
        ]
        for read in reads {
            let error = try await storeError(read)
            #expect(error?.code == .corrupted)
            #expect(error?.reason.contains("c/\(keys[index].id)") == true)
        }
        let location = try StorageLocation(subject.uri, kinds: .local + [PostgresStoreKind()])
        let findings = try await location.check()
        #expect(findings.count == 1 && findings[0].contains("twice"), "\(findings)")
        await store.close()
    }

    @Test("A store whose primary key was dropped is rejected", arguments: ["kv", "writers"])
    func primaryKey(_ table: String) async throws {
        let subject = PostgresSubject()
        let store = try await subject.open()
        let key = try Key(collection: "c", id: "id")
        try await store.write { try $0.put(["n": .integer(1)], for: key) }
        try PlainPostgres().run("ALTER TABLE \(subject.schema).\(table) DROP CONSTRAINT \(table)_pkey")
        let error = await #expect(throws: DataStoreError.self) { try await subject.open() }
        #expect(error?.code == .corrupted)
        #expect(error?.reason.contains("primary key") == true)
        if table == "kv" {
            let error = await #expect(throws: DataStoreError.self) {
                try await store.write { try $0.put(["n": .integer(2)], for: key) }
            }
            #expect(error?.code == .corrupted)
        }
        await store.close()
    }
}
