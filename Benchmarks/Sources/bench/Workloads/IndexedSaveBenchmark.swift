import DataStoreCore
import DataStoreQueries
import DataStoreLMDB
import UserProfileData
import UserProfileDomain
import UserProfileKit

/// The benchmark of saving profiles with and without two indexes, with one save and a thousand saves in each commit.
/// Each save changes both indexed fields. The other peers make the same saves by direct calls of liblmdb, and through
/// GRDB with the same indexes.
struct IndexedSaveBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let mapping = User.mapping()
        let schema = try Schema([
            Schema.Collection(
                mapping.collection, indexes: Array(mapping.indexes.prefix(2)), fields: mapping.fields)
        ])
        let (path, plainPath) = (try await stage.store(count: count), try await stage.store(count: count))
        let store = SchemaStore(try LMDBDataStore(path: path), schema: schema)
        let plain = SchemaStore(try LMDBDataStore(path: plainPath))
        try await store.buildIndexes()
        let peer = try SQLiteProfiles.make(count: count, indexedBy: ["comparable", "birthday"], on: stage)

        // Each profile gets the values of another profile, and then its own values again.
        let numbers = Array((0..<count).shuffled().prefix(2000))
        let steps = try [1, 0].flatMap { shift in
            try numbers.map { number in
                let (user, other) = (try Profiles.user(number), try Profiles.user(number + shift * count))
                return User(id: user.id, mailAddress: other.mailAddress, birthday: other.birthday)
            }
        }
        let bare = try await bare(steps, schema)
        stage.settle()
        var comparisons: [Comparison] = []
        for (perCommit, commitCount) in [(1, stage.operations(20)), (1000, 1)] {
            var positions = [0, 0, 0, 0]
            func next(_ who: Int) -> [Int] {
                let userCount = perCommit * commitCount
                defer { positions[who] += userCount }
                return (0..<userCount).map { (positions[who] + $0) % steps.count }
            }
            func ours() async throws -> Double {
                try await save(next(0).map { steps[$0] }, perCommit, in: store)
            }
            let alone = try await Rounds(stage.rounds(perCommit == 1 ? 40 : 15), ours: ours) {
                try await save(next(1).map { steps[$0] }, perCommit, in: plain)
            }
            let sqlite = try await Rounds(stage.rounds(perCommit == 1 ? 20 : 9), ours: ours) {
                let profiles = next(2).map { (SQLiteProfile(steps[$0]), steps[$0].comparableMailAddress) }
                return try Rounds.secondsOnThread { try peer.put(profiles, perTransaction: perCommit) }
            }
            let ofBare = try await Rounds(stage.rounds(perCommit == 1 ? 20 : 9), ours: ours) {
                let saves = next(3).map { (id: steps[$0].id.text, state: $0 < steps.count / 2 ? 1 : 0) }
                return try Rounds.secondsOnThread { try bare.save(saves, perTransaction: perCommit) }
            }
            let name = "save with two indexes, \(perCommit) per commit, \(count) profiles"
            comparisons += [
                Comparison(
                    name, .microseconds(per: "save"), peer: "no index", goal: .atMost(3),
                    operations: perCommit * commitCount, alone),
                Comparison(
                    name, .microseconds(per: "save"), peer: "bare: the same puts and removals",
                    goal: perCommit == 1 ? .atMost(1.05) : nil, operations: perCommit * commitCount, ofBare),
                Comparison(
                    name, .microseconds(per: "save"), peer: "GRDB, indexes", operations: perCommit * commitCount, sqlite
                ),
            ]
        }
        try await check(store, at: path, peer, steps)
        await store.close()
        try bare.save(
            steps.enumerated().map { ($1.id.text, $0 < steps.count / 2 ? 1 : 0) }, perTransaction: 1000)
        guard try bare.entries() == BareReader(BareEnvironment(path: path)).entries() else {
            throw Failure("this package and the peer saved different values")
        }
        await plain.close()
        try [path, plainPath].forEach(stage.remove)
        try peer.remove(on: stage)
        return comparisons
    }

    /// Returns the liblmdb peer. It writes the bytes that stores of this package contain before the steps and after
    /// half of them.
    private func bare(_ steps: [User], _ schema: Schema) async throws -> BareIndexedSaves {
        func store() async throws -> (path: String, SchemaStore) {
            let path = try await stage.store(count: count)
            let store = SchemaStore(try LMDBDataStore(path: path), schema: schema)
            try await store.buildIndexes()
            return (path, store)
        }
        let (peer, changed) = (try await store(), try await store())
        _ = try await save(Array(steps.prefix(steps.count / 2)), 1000, in: changed.1)
        for store in [peer.1, changed.1] { await store.close() }
        let saves = try BareIndexedSaves(path: peer.path, states: [peer.path, changed.path])
        try stage.remove(changed.path)
        return saves
    }

    private func save(_ users: [User], _ perCommit: Int, in store: SchemaStore) async throws -> Double {
        let mapping = User.mapping()
        let entries = try users.map { user in
            Entry(key: try Key(collection: mapping.collection, id: user.id.text), record: try mapping.record(of: user))
        }
        return try await Rounds.seconds {
            for start in stride(from: 0, to: entries.count, by: perCommit) {
                let part = entries[start..<min(start + perCommit, entries.count)]
                try await store.write { transaction in
                    for entry in part { try transaction.put(entry.record, for: entry.key) }
                }
            }
        }
    }

    /// Throws ``Failure`` unless the indexes match the records, and both stores are equal after the same saves.
    private func check(
        _ store: SchemaStore, at path: String, _ peer: SQLiteProfiles, _ steps: [User]
    ) async throws {
        _ = try await save(steps, 1000, in: store)
        try peer.put(steps.map { (SQLiteProfile($0), $0.comparableMailAddress) }, perTransaction: 1000)
        for index in try await store.indexes() where index.state != .ready { throw Failure("\(index)") }
        let findings = try await StorageLocation.lmdb(path).check()
        guard findings.isEmpty else { throw Failure(findings.joined(separator: "; ")) }
        let users = try await UserProfileStorage(store: store).users.list()
        guard users.count == count else { throw Failure("the store has \(users.count) of \(count) profiles") }
        try SQLiteProfiles.compare(peer.list(), users, "save with indexes")
    }
}
