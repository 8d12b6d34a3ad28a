import DataStoreCore
import DataStoreQueries

extension ProfileCLI {
    /// Writes custom collections as another program would: `trips`, and `plans` without records.
    func fillTrips(_ kind: StoreKind, _ count: Int, _ name: String = "store") async throws {
        let schema = try Schema([
            .init("plans", indexes: [.unique("title")]),
            .init("trips", indexes: [.unique("title"), .on("startsAt")]),
        ])
        try await using(kind, name) { store in
            let store = SchemaStore(store, schema: schema)
            try await store.buildIndexes()
            try await store.write { transaction in
                for number in 0..<count {
                    let record: Record = ["title": .string("trip \(number)"), "startsAt": .integer(Int64(number / 2))]
                    try transaction.put(record, for: Key(collection: "trips", id: "\(number)"))
                }
            }
        }
    }

    /// Saves a record as a program without declarations would.
    func saveTrip(
        _ id: String, _ title: String, _ kind: StoreKind, _ name: String = "store", in collection: String = "trips"
    ) async throws {
        try await using(kind, name) { store in
            try await SchemaStore(store).write {
                try $0.put(["title": .string(title)], for: Key(collection: collection, id: id))
            }
        }
    }

    /// Adds an index of the collection `dates` to an LMDB store, as a newer library would.
    func declareIndexOfNewerLibrary(_ name: String = "store") async throws {
        try await using(.lmdb, name) { store in
            try await store.write { transaction in
                let key = IndexState.catalogueKey(of: "dates")
                try transaction.backend.put(["day:later@9": .string("1 09 newer")], for: key)
            }
        }
    }
}
