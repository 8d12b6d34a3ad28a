import DataStoreCore
import DataStoreQueries
import Testing

extension DataStoreConformance {
    /// The requirements for migrations that the first write to a collection completes.
    static let newStoreMigrationCases: [DataStoreConformance] = [
        DataStoreConformance("the first write to a renamed collection completes the migrations of all its names") {
            makeSubject in
            for program in renamings {
                let (store, schema) = (try await makeSubject().open(), try program.schema)
                let writer = SchemaStore(store, schema: schema)
                try await writer.migrate()
                let keys = try program.names.map { try Key(collection: $0, id: "a") }
                for key in keys { try await writer.put(["title": .string(key.collection)], key) }
                try await expectComplete(schema, in: store)
                for key in keys {
                    #expect(try await store.record(for: key) == ["title": .string(key.collection)])
                }
                await store.close()
            }
        },
        DataStoreConformance("a write fails if records of a former name of its collection have not been migrated") {
            makeSubject in
            for program in renamings {
                let (store, schema) = (try await makeSubject().open(), try program.schema)
                try await store.put(["title": .string("x")], Key(collection: program.oldName, id: "a"))
                let writer = SchemaStore(store, schema: schema)
                let key = try Key(collection: program.names[0], id: "b")
                await expect(.migrationPending, "a write to \(key)") { try await writer.put([:], key) }
                try await writer.migrate()
                try await writer.put([:], key)
                try await expectComplete(schema, in: store)
                await store.close()
            }
        },
        DataStoreConformance("a write that also queries completes migrations, even after it has failed") {
            makeSubject in
            let double = Migration("double", of: "c", isAdditive: true) { record, _ -> Record? in
                guard case .integer(let number)? = record["n"] else { return record }
                return ["n": .integer(2 * number)]
            }
            let schema = try Schema([.init("c")], migrations: [double])
            for isRepeated in [false, true] {
                let store = try await makeSubject().open()
                let writer = SchemaStore(store, schema: schema)
                @Sendable func write(_ transaction: inout WriteTransaction) throws {
                    try transaction.put(["n": .integer(1)], for: Key(collection: "c", id: "a"))
                    _ = try transaction.records(matching: RecordQuery("c"))
                    try transaction.put(["n": .integer(1)], for: Key(collection: "c", id: "b"))
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
                #expect(try await store.record(for: Key(collection: "c", id: "a")) == ["n": .integer(1)])
                await store.close()
            }
        },
    ]

    private static let renamings = [
        RenamingProgram(
            names: ["journeys"], oldName: "trips",
            migrations: [
                .renameField("1", of: "trips", "titel", to: "title"), .renameCollection("2", "trips", to: "journeys"),
            ]),
        RenamingProgram(
            names: ["c"], oldName: "a",
            migrations: [.renameCollection("1", "a", to: "b"), .renameCollection("2", "b", to: "c")]),
        RenamingProgram(
            names: ["b", "a"], oldName: "a",
            migrations: [
                .renameCollection("1", "a", to: "t"), .renameCollection("2", "b", to: "a"),
                .renameCollection("3", "t", to: "b"),
            ]),
    ]

    /// Expects that a program that opens the store finds all migrations of a schema complete.
    private static func expectComplete(_ schema: Schema, in store: any DataStore) async throws {
        let program = SchemaStore(store, schema: schema)
        #expect(try await program.migrate().isEmpty)
        let states = try await program.migrations()
        #expect(!states.isEmpty && states.allSatisfy { $0.state == .applied }, "\(states)")
    }
}

/// A program that has renamed collections.
private struct RenamingProgram: Sendable {
    /// The names of the declared collections. The program writes to them in this order.
    let names: [String]
    /// The name of the collection whose records the first migration changes or moves.
    let oldName: String
    let migrations: [Migration]

    var schema: Schema { get throws { try Schema(names.map { .init($0) }, migrations: migrations) } }
}

extension DataStoreConformance {
    /// The requirements for migrations of collections with unique indexes.
    static let uniqueIndexMigrationCases: [DataStoreConformance] = [
        DataStoreConformance("a migration that breaks a unique index is rolled back, even if the index is invalid") {
            (store: any DataStore) async throws in
            try await store.fill(5, knowing: [.unique("text")])
            try await store.expectRejectedDuplicates()
        },
        DataStoreConformance("a migration can remove duplicates of a unique index that is not ready") {
            (store: any DataStore) async throws in
            try await store.fill(5, knowing: [.unique("text")])
            for id in ["0000", "0001"] { try await store.put(["text": .string("same")], Key(collection: "c", id: id)) }
            let distinct = Migration("distinct", of: "c") { _, key -> Record? in ["text": .string(key.id)] }
            try await store.migrating([distinct]).migrate()
            #expect(try await store.record(for: Key(collection: "c", id: "0001")) == ["text": .string("0001")])
            try await store.declaring([.unique("text")]).buildIndexes()
            try await store.expectCorrectIndexes([.unique("text")])
        },
    ]

    /// The requirements for migrations of collections with more records than a write indexes itself.
    static let largeUniqueIndexMigrationCases: [DataStoreConformance] = [
        DataStoreConformance("a migration that breaks a unique index of a large collection is rolled back") {
            (store: any DataStore) async throws in
            try await store.fill(1500, knowing: [.unique("text")])
            try await store.expectRejectedDuplicates()
        }
    ]

    static let persistentUniqueIndexMigrationCases: [DataStoreConformance] = [
        DataStoreConformance("a migration enforces a unique index right after the store is opened") { makeSubject in
            let subject = try await makeSubject()
            var store = try await subject.open()
            try await store.fill(5, knowing: [.unique("text")])
            await store.close()
            store = try await subject.open()
            try await store.expectRejectedDuplicates(isInvalid: false)
            await store.close()
        }
    ]
}

extension DataStore {
    /// Expects that a migration that gives all records of `c` the same value of the unique field `text` changes
    /// nothing, and that the program can then apply a corrected migration of the same name.
    fileprivate func expectRejectedDuplicates(isInvalid: Bool = true) async throws {
        // A write without a schema invalidates the index.
        if isInvalid { try await put(["text": .string("first")], Key(collection: "c", id: "0000")) }
        let before = try await read { try $0.records(in: Scan("c")) }
        for _ in 0..<2 {
            let error = await expect(.migrationFailed, "equal values") {
                try await migrating([.convert("m", of: "c", "text") { _ in .string("same") }]).migrate()
            }
            #expect((error?.underlying as? DataStoreError)?.code == .notUnique)
            #expect(try await read { try $0.records(in: Scan("c")) } == before)
        }
        #expect(try await SchemaStore(self).migrations().isEmpty)
        try await migrating([]).migrate()
        try await migrating([.convert("m", of: "c", "text") { $0 }]).migrate()
        try await declaring([.unique("text")]).buildIndexes()
        try await expectCorrectIndexes([.unique("text")])
    }
}
