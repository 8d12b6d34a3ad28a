import DataStoreCore
import DataStoreQueries
import Testing

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
