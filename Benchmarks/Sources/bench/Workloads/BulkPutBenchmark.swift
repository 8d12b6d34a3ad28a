import DataStoreCore
import DataStoreLMDB
import UserProfileData
import UserProfileDomain

/// The benchmark of writing many profiles in one transaction: as records, as users that are mapped to records, and as
/// bytes by direct calls of liblmdb. Each round uses new stores.
struct BulkPutBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let users = try (0..<count).map { try Profiles.user($0) }
        let entries = try await Profiles.encoded(Array(0..<count), on: stage)
        let mapping = User.mapping()
        let records = try users.map(mapping.record)
        let ofRecords = try await rounds(entries) { transaction in
            for (user, record) in zip(users, records) {
                try transaction.put(record, for: Key(collection: mapping.collection, id: user.id.text))
            }
        }
        let ofUsers = try await rounds(entries) { try Self.put(users, &$0) }
        func comparison(_ what: String, _ peer: String, _ goal: Goal?, _ rounds: Rounds) -> Comparison {
            Comparison(
                "put \(count) \(what) in one transaction", .perSecond("records"), peer: peer, goal: goal,
                operations: count, rounds)
        }
        return [
            comparison("records", "bare put of the encoded bytes", .atLeast(0.5), ofRecords),
            comparison("users", "bare put of the encoded bytes", .atLeast(0.5), ofUsers),
            comparison("users", "GRDB", .atLeast(4), try await besideSQLite(users)),
            comparison("users", "JSON file", nil, try await besideJSON(users)),
            comparison("users", "memory store", nil, try await besideMemory(users)),
        ]
    }

    private func besideSQLite(_ users: [User]) async throws -> Rounds {
        try await Rounds(stage.rounds(7)) {
            try await put(users)
        } theirs: {
            let peer = try SQLiteProfiles(path: stage.newPath() + ".sqlite")
            let seconds = try Rounds.secondsOnThread { try peer.put(users.lazy.map { SQLiteProfile($0) }) }
            try SQLiteProfiles.compare(peer.list(), users.sorted { $0.id < $1.id }, "bulk load")
            try peer.remove(on: stage)
            return seconds
        }
    }

    private func besideJSON(_ users: [User]) async throws -> Rounds {
        try await Rounds(stage.rounds(3)) {
            try await put(users)
        } theirs: {
            var peer = try JSONProfiles(count: 0, on: stage)
            let seconds = try Rounds.secondsOnThread {
                for user in users { peer.set(user) }
                try peer.write()
            }
            try JSONProfiles(path: peer.path).compare(users)
            try stage.remove(peer.path)
            return seconds
        }
    }

    private func besideMemory(_ users: [User]) async throws -> Rounds {
        try await Rounds(stage.rounds(7)) {
            try await put(users)
        } theirs: {
            let store = MemoryDataStore()
            let seconds = try await Rounds.seconds { try await store.write { try Self.put(users, &$0) } }
            await store.close()
            return seconds
        }
    }

    /// Writes users to a new store of this package.
    private func put(_ users: [User]) async throws -> Double {
        let path = try await newStore()
        let store = try LMDBDataStore(path: path)
        let seconds = try await Rounds.seconds { try await store.write { try Self.put(users, &$0) } }
        await store.close()
        try stage.remove(path)
        return seconds
    }

    private static func put(_ users: [User], _ transaction: inout WriteTransaction) throws {
        let mapping = User.mapping()
        for user in users {
            try transaction.put(
                mapping.record(of: user), for: Key(collection: mapping.collection, id: user.id.text))
        }
    }

    private func rounds(
        _ entries: [EncodedEntry], _ put: @escaping @Sendable (inout WriteTransaction) throws -> Void
    ) async throws -> Rounds {
        try await Rounds(stage.rounds(11)) {
            let path = try await newStore()
            let store = try LMDBDataStore(path: path)
            let seconds = try await Rounds.seconds { try await store.write(put) }
            await store.close()
            try compareResults(entries, path)
            return seconds
        } theirs: {
            let path = try await newStore()
            let environment = try BareEnvironment(path: path)
            let seconds = try Rounds.secondsOnThread { try environment.put(entries, perTransaction: entries.count) }
            try stage.remove(path)
            return seconds
        }
    }

    /// Returns a store with a single record, so that the time to create the files is not measured.
    private func newStore() async throws -> String {
        let path = stage.newPath()
        try await Profiles.fill(path, numbers: 0..<1)
        stage.settle()
        return path
    }

    /// Throws ``Failure`` unless this package writes the same bytes as the peer.
    private func compareResults(_ entries: [EncodedEntry], _ path: String) throws {
        let found = try BareReader(BareEnvironment(path: path)).entries().filter { $0.key.first != 0 }
        guard found == entries.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) else {
            throw Failure("this package and the peer wrote different bytes")
        }
        try stage.remove(path)
    }
}
