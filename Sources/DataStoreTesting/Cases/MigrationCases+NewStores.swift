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
