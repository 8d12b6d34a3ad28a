import DataStoreCore
import DataStoreQueries
import Testing

extension DataStoreConformance {
    /// The requirements for migrations that the first write to a collection completes.
    static let newStoreMigrationCases: [DataStoreConformance] = [
        .init(locations: "the first write to a renamed collection completes its migrations, or waits for old records") {
            makeSubject in
            for (names, oldName, migrations) in renamings {
                let schema = try Schema(names.map { .init($0) }, migrations: migrations)
                let keys = try names.map { try Key(collection: $0, id: "b") }
                for hasOldRecord in [false, true] {
                    let store = try await makeSubject().open()
                    let writer = SchemaStore(store, schema: schema)
                    if hasOldRecord {
                        try await store.put(["title": .string("x")], Key(collection: oldName, id: "a"))
                        await expect(.migrationPending, "a write to \(keys[0])") { try await writer.put([:], keys[0]) }
                    }
                    try await writer.migrate()
                    for key in keys { try await writer.put(["title": .string(key.collection)], key) }
                    try await expectComplete(schema, in: store)
                    for key in keys { #expect(try await store.record(for: key) == ["title": .string(key.collection)]) }
                    await store.close()
                }
            }
        },
        .init(locations: "a write that also queries completes migrations, even after it has failed") { makeSubject in
            let double = Migration("double", of: "c", isAdditive: true) { record, _ -> Record? in
                guard case .integer(let number)? = record["n"] else { return record }
                return ["n": .integer(2 * number)]
            }
            let schema = try Schema([.init("c")], migrations: [double])
            for isRepeated in [false, true] {
                let store = try await makeSubject().open()
                let writer = SchemaStore(store, schema: schema)
                @Sendable func write(_ transaction: inout WriteTransaction) throws {
                    try transaction.put(["n": .integer(1)], for: key("a"))
                    _ = try transaction.records(matching: RecordQuery("c"))
                    try transaction.put(["n": .integer(1)], for: key("b"))
                }
                if isRepeated {
                    await #expect(throws: Interruption.self) {
                        try await writer.write { transaction in
                            try write(&transaction)
                            throw Interruption(number: 1)
                        }
                    }
                }
                try await writer.write { try write(&$0) }
                try await expectComplete(schema, in: store)
                #expect(try await store.record(for: key("a")) == ["n": .integer(1)])
                await store.close()
            }
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

    /// Expects that a program that opens the store finds all migrations of a schema complete.
    private static func expectComplete(_ schema: Schema, in store: any DataStore) async throws {
        let program = SchemaStore(store, schema: schema)
        #expect(try await program.migrate().isEmpty)
        let states = try await program.migrations()
        #expect(!states.isEmpty && states.allSatisfy { $0.state == .applied }, "\(states)")
    }

    /// The requirements for migrations of collections with unique indexes.
    static let uniqueIndexMigrationCases: [DataStoreConformance] = [
        .init(locations: "a migration that breaks a unique index is rolled back, even if the index is invalid") {
            makeSubject in
            for count in [5, 30] {
                let store = try await makeSubject().open()
                try await store.fill(count, knowing: [.unique("text")])
                try await store.expectRejectedDuplicates()
                await store.close()
            }
        },
        .init("a migration can remove duplicates of a unique index that is not ready") { store in
            try await store.fill(5, knowing: [.unique("text")])
            for id in ["0000", "0001"] { try await store.put(["text": .string("same")], key(id)) }
            let distinct = Migration("distinct", of: "c") { _, key -> Record? in ["text": .string(key.id)] }
            try await store.migrating([distinct]).migrate()
            #expect(try await store.record(for: key("0001")) == ["text": .string("0001")])
            try await store.declaring([.unique("text")]).buildIndexes()
            try await store.expectCorrectIndexes([.unique("text")])
        },
    ]

    static let persistentUniqueIndexMigrationCases: [DataStoreConformance] = [
        .init(locations: "a migration enforces a unique index right after the store is opened") { makeSubject in
            let subject = try await makeSubject()
            try await subject.open().closing { try await $0.fill(5, knowing: [.unique("text")]) }
            try await subject.open().closing { try await $0.expectRejectedDuplicates(isInvalid: false) }
        }
    ]
}

extension DataStore {
    /// Expects that a migration that gives all records of `c` the same value of the unique field `text` changes
    /// nothing, and that the program can then apply a corrected migration of the same name.
    fileprivate func expectRejectedDuplicates(isInvalid: Bool = true) async throws {
        // A write without a schema invalidates the index.
        if isInvalid { try await put(["text": .string("first")], DataStoreConformance.key("0000")) }
        let before = try await entries()
        for _ in 0..<2 {
            let error = await expect(.migrationFailed, "equal values") {
                try await migrating([.convert("m", of: "c", "text") { _ in .string("same") }]).migrate()
            }
            #expect((error?.underlying as? DataStoreError)?.code == .notUnique)
            #expect(try await entries() == before)
        }
        #expect(try await SchemaStore(self).migrations().isEmpty)
        try await migrating([]).migrate()
        try await migrating([.convert("m", of: "c", "text") { $0 }]).migrate()
        try await declaring([.unique("text")]).buildIndexes()
        try await expectCorrectIndexes([.unique("text")])
    }
}
