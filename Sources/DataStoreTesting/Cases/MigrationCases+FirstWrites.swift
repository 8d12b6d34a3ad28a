import Testing

extension DataStoreConformance {
    /// The requirements for migrations that the first write to a collection completes, and for migrations of
    /// collections with unique indexes.
    static let writeMigrationCases: [DataStoreConformance] = [
        .init(
            "the first write to a renamed collection completes its migrations, or waits for old records",
            for: renamings.flatMap { [($0, false), ($0, true)] }
        ) { store, input in
            let ((names, oldName, migrations), hasOldRecord) = input
            let schema = try Schema(names.map { .init($0) }, migrations: migrations)
            let keys = try names.map { try key("b", in: $0) }
            let writer = SchemaStore(store, schema: schema)
            if hasOldRecord {
                try await store.put(["a": ["title": .string("x")]], in: oldName)
                await writer.expectRejected([:], keys[0], .migrationPending)
            }
            try await writer.migrate()
            for key in keys { try await writer.put(["title": .string(key.collection)], key) }
            let program = SchemaStore(store, schema: schema)
            #expect(try await program.migrate().isEmpty)
            let states = try await program.migrations()
            #expect(!states.isEmpty && states.allSatisfy { $0.state == .applied }, "\(states)")
            for key in keys { #expect(try await store.record(for: key) == ["title": .string(key.collection)]) }
        },
        .init("a migration can remove duplicates of a unique index that is not ready") { store in
            try await store.fill(5, knowing: unique)
            try await store.put(["0000": ["text": .string("same")], "0001": ["text": .string("same")]])
            let distinct = Migration("distinct", of: "c") { _, key -> Record? in ["text": .string(key.id)] }
            try await store.migrating([distinct]).migrate()
            #expect(try await store.record(for: key("0001")) == ["text": .string("0001")])
            try await store.declaring(unique).buildIndexes()
            try await store.expectCorrectIndexes(unique)
        },
    ]

    /// Programs that have renamed collections: the names of the declared collections, to which the program writes in
    /// this order, the name of the collection whose records the first migration changes or moves, and the migrations.
    private static let renamings: [(names: [String], oldName: String, migrations: [Migration])] = [
        (["new"], "old", [.renameField("1", of: "old", "titel", to: "title"), rename("2", "old", "new")]),
        (["c"], "a", [rename("1", "a", "b"), rename("2", "b", "c")]),
        (["b", "a"], "a", [rename("1", "a", "t"), rename("2", "b", "a"), rename("3", "t", "b")]),
    ]

    private static func rename(_ name: String, _ old: String, _ new: String) -> Migration {
        .renameCollection(name, old, to: new)
    }
}
