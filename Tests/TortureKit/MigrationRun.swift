package import DataStoreCore
package import DataStoreQueries

/// A program that migrates a store and is killed again and again, while an older program writes to the store.
package struct MigrationRun {
    private static let collection = "c"

    /// Migrations that count how often they have changed a record. The first one moves each record, too: a third of
    /// them to keys that a later batch reaches.
    package static let migrations = [
        Migration("move", of: collection) { record, key -> Entry? in
            let prefix = ["!", "5", "z"][(Int(key.id) ?? 0) % 3]
            return Entry(
                key: try Key(collection: collection, id: prefix + key.id), record: try counted(record, "moves"))
        },
        Migration("change", of: collection) { record, _ -> Record? in try counted(record, "changes") },
    ]

    /// Returns the schema of the migrating program.
    package static func schema() throws -> Schema {
        var schema = try Schema([.init(collection, indexes: [.unique("n")])], migrations: migrations)
        schema.migrationBatchCount = 1000
        return schema
    }

    /// Returns the schema of the older program.
    package static func olderSchema() throws -> Schema { try Schema([.init(collection, indexes: [.unique("n")])]) }

    /// Returns a record of the older program and its key.
    package static func entry(_ number: Int) throws -> Entry {
        Entry(
            key: try Key(collection: collection, id: String(String(1_000_000 + number).dropFirst())),
            record: ["n": .integer(Int64(number))])
    }

    private static func counted(_ record: Record, _ name: String) throws -> Record {
        guard case .integer(let count) = record[name] ?? .integer(0) else { throw Interruption() }
        var record = record
        record[name] = .integer(count + 1)
        return record
    }

    private struct Interruption: Error {}

    private let subject: any TortureSubject
    private let recordCount: Int

    package init(_ subject: any TortureSubject, recordCount: Int) {
        self.subject = subject
        self.recordCount = recordCount
    }

    /// Runs the programs, and kills the migrating one after each batch.
    ///
    /// - Parameter killCount: The number of kills.
    /// - Returns: A sentence for each finding.
    /// - Throws: The error of a program that cannot be run.
    package func findings(killCount: Int) async throws -> [String] {
        let store = try await subject.open()
        try await SchemaStore(store, schema: Self.olderSchema()).write { [recordCount] transaction in
            for number in 0..<recordCount {
                let entry = try Self.entry(number)
                try transaction.put(entry.record, for: entry.key)
            }
        }
        await store.close()
        let arguments = subject.storeArguments
        var findings: [String] = []
        let older = try await TortureProgram.run(arguments + ["migrate", subject.path, "older", "\(recordCount)"]) {
            session in
            try await session.wait(for: "saved")
            for _ in 0..<killCount {
                let outcome = try await TortureProgram.run(arguments + ["migrate", subject.path, "newer"]) { newer in
                    let kill = newer.kill
                    // A store that is migrated in one write is killed before or during it.
                    _ = try await newer.line()
                    kill()
                }
                if !outcome.wasKilled, !outcome.isDone { findings.append("the program failed: \(outcome)") }
            }
            let outcome = try await TortureProgram.run(arguments + ["migrate", subject.path, "newer"])
            if outcome.lines.last != "done" { findings.append("the migration is not complete: \(outcome)") }
        }
        if older.lines.last != "unknownMigration" {
            findings.append("the older program has not stopped: \(older.lines)")
        }
        return try await findings + self.findings(inMigrated: subject.open())
    }

    private func findings(inMigrated store: any DataStore) async throws -> [String] {
        var findings = try await subject.findings(of: store)
        let records = try await store.read { try $0.records(in: Scan(Self.collection)).map(\.record) }
        if Set(records.map { $0["n"] }).count != records.count || records.count < recordCount {
            findings.append("there are \(records.count) records")
        }
        for record in records where record["moves"] != .integer(1) || record["changes"] != .integer(1) {
            findings.append("a record was not changed once: \(record)")
        }
        let schemaStore = SchemaStore(store, schema: try Self.schema())
        try await schemaStore.buildIndexes()
        for report in try await schemaStore.checkIndexes() where !report.matchesRecords { findings.append("\(report)") }
        let collections = try await store.read { try $0.collections() }
        if collections != ["$migrations", Self.collection] { findings.append("there are \(collections)") }
        await store.close()
        return findings
    }
}
