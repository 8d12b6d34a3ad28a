import DataStoreCore
import DataStoreQueries
import UserProfileData
import UserProfileDomain
import UserProfileKit

/// The benchmark of the PostgreSQL store. The peer makes direct calls of libpq on the same server, with the same keys
/// and values. Each operation is also compared with an LMDB store of the same profiles.
///
/// A read of this package is a transaction that can read several keys, and verifies and decodes the record. The peer
/// runs one prepared statement.
struct PostgresBenchmark {
    private static let taskCount = 64

    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let postgres = try await PostgresStage(stage, count: count)
        var comparisons = try await put(postgres)
        comparisons += try await putFromTasks(postgres)
        comparisons += try await read(postgres)
        comparisons += try await scan(postgres)
        comparisons += try await find(postgres)
        try await postgres.closeAndCompare()
        return comparisons
    }

    // MARK: Saves

    private func put(_ postgres: PostgresStage) async throws -> [Comparison] {
        let steps = try await PutStep.sequence(
            Array((0..<count).shuffled().prefix(stage.operations(100))), on: stage)
        func put(_ store: some DataStore) async throws -> Double {
            try await Rounds.seconds {
                for step in steps { try await store.write { try $0.put(step.record, for: step.key) } }
            }
        }
        let bare = postgres.bare
        let threeCalls = try await Rounds(stage.rounds(21)) {
            try await put(postgres.store)
        } theirs: {
            try Rounds.secondsOnThread { for step in steps { try bare.put(step.entry) } }
        }
        let oneCall = try await Rounds(stage.rounds(11)) {
            try await put(postgres.store)
        } theirs: {
            try Rounds.secondsOnThread { for step in steps { try bare.putAlone(step.entry) } }
        }
        let entries = steps.map(\.entry)
        let sameWork = try await Rounds(stage.rounds(11)) {
            try await put(postgres.store)
        } theirs: {
            try Rounds.secondsOnThread { try bare.putAndCount(entries, perTransaction: 1) }
        }
        let lmdb = try await Rounds(stage.rounds(11)) {
            try await put(postgres.store)
        } theirs: {
            try await put(postgres.lmdb)
        }
        return [
            ("libpq: begin, upsert, commit", Goal.atMost(1.2), threeCalls),
            ("same work with libpq", nil, sameWork),
            ("libpq: an upsert without BEGIN and COMMIT", nil, oneCall), ("LMDB store", nil, lmdb),
        ].map { peer, goal, rounds in
            Comparison(
                "postgres: put a record durably", .microseconds(per: "put"), peer: peer, goal: goal,
                operations: steps.count, rounds)
        }
    }

    private func putFromTasks(_ postgres: PostgresStage) async throws -> [Comparison] {
        let taskCount = Self.taskCount
        let steps = try await PutStep.sequence((0..<taskCount).map { $0 * (count / taskCount) }, on: stage)
        let round = Array(repeatElement(steps, count: (stage.operations(20) + 1) / 2).joined())
        let entries = round.map(\.entry)
        let parts = (0..<taskCount).map { task in
            stride(from: task, to: round.count, by: taskCount).map { round[$0] }
        }
        func put(_ store: some DataStore) async throws -> Double {
            try await Rounds.seconds {
                try await withThrowingTaskGroup { group in
                    for steps in parts {
                        group.addTask {
                            for step in steps { try await store.write { try $0.put(step.record, for: step.key) } }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
        let libpq = try await Rounds(stage.rounds(15)) {
            try await put(postgres.store)
        } theirs: {
            try Rounds.secondsOnThread { try postgres.bare.put(entries, perTransaction: taskCount) }
        }
        let sameWork = try await Rounds(stage.rounds(15)) {
            try await put(postgres.store)
        } theirs: {
            try Rounds.secondsOnThread { try postgres.bare.putAndCount(entries, perTransaction: taskCount) }
        }
        let lmdb = try await Rounds(stage.rounds(11)) {
            try await put(postgres.store)
        } theirs: {
            try await put(postgres.lmdb)
        }
        return [
            ("libpq: batches of \(taskCount)", Goal.atLeast(0.8), libpq),
            ("same work with libpq: batches of \(taskCount)", nil, sameWork), ("LMDB store", nil, lmdb),
        ].map { peer, goal, rounds in
            Comparison(
                "postgres: put durably with \(taskCount) tasks", .perSecond("puts"), peer: peer, goal: goal,
                operations: round.count, rounds)
        }
    }

    // MARK: Reads

    private func read(_ postgres: PostgresStage) async throws -> [Comparison] {
        let numbers = Profiles.randomNumbers(stage.operations(2000), of: count)
        let keys = try numbers.map { try Key(collection: "users", id: Profiles.id($0).text) }
        let bytes = keys.map { Array("\($0.collection)\0\($0.id)".utf8) }
        func read(_ store: some DataStore) async throws -> Double {
            try await Rounds.seconds {
                for key in keys {
                    guard try await store.record(for: key)?.count == Profiles.fieldCount else {
                        throw Failure("\(key) has not all fields")
                    }
                }
            }
        }
        let libpq = try await Rounds(stage.rounds(15)) {
            try await read(postgres.store)
        } theirs: {
            try Rounds.secondsOnThread {
                var byteCount = 0
                for key in bytes { try postgres.bare.read(key) { byteCount += $0.count } }
                guard byteCount > 40 * bytes.count else { throw Failure("the peer read \(byteCount) bytes") }
            }
        }
        let lmdb = try await Rounds(stage.rounds(11)) {
            try await read(postgres.store)
        } theirs: {
            try await read(postgres.lmdb)
        }
        return [("libpq: prepared select", Goal.atMost(1.3), libpq), ("LMDB store", nil, lmdb)]
            .map { peer, goal, rounds in
                Comparison(
                    "postgres: read a record", .microseconds(per: "read"), peer: peer, goal: goal,
                    operations: keys.count, rounds)
            }
    }

    private func scan(_ postgres: PostgresStage) async throws -> [Comparison] {
        let count = count
        func scan(_ store: some DataStore) async throws -> Double {
            try await Rounds.seconds {
                let (recordCount, fieldCount) = try await store.read { transaction in
                    var (recordCount, fieldCount) = (0, 0)
                    try transaction.forEach(in: Scan("users")) { _, record in
                        recordCount += 1
                        fieldCount += record.count
                        return .next
                    }
                    return (recordCount, fieldCount)
                }
                guard recordCount == count, fieldCount == Profiles.fieldCount * count else {
                    throw Failure("a scan finds \(recordCount) of \(count) profiles")
                }
            }
        }
        let libpq = try await Rounds(stage.rounds(11)) {
            try await scan(postgres.store)
        } theirs: {
            try Rounds.secondsOnThread {
                var (profileCount, fieldCount) = (0, 0)
                try postgres.bare.copy { key, value in
                    let profile = try BareProfile(key: key, value: value)
                    profileCount += 1
                    fieldCount += profile.fields.count
                }
                guard profileCount == count, fieldCount == Profiles.fieldCount * count else {
                    throw Failure("the peer finds \(profileCount) of \(count) profiles")
                }
            }
        }
        let lmdb = try await Rounds(stage.rounds(7)) {
            try await scan(postgres.store)
        } theirs: {
            try await scan(postgres.lmdb)
        }
        return [("libpq: COPY, decoded", Goal.atLeast(0.7), libpq), ("LMDB store", nil, lmdb)]
            .map { peer, goal, rounds in
                Comparison(
                    "postgres: scan records", .perSecond("records"), peer: peer, goal: goal, operations: count, rounds)
            }
    }

    private func find(_ postgres: PostgresStage) async throws -> [Comparison] {
        let schema = try Schema([User.mapping().schemaCollection])
        for store in [postgres.store, postgres.lmdb] as [any DataStore] {
            try await SchemaStore(store, schema: schema).buildIndexes()
        }
        let selected = try Profiles.randomNumbers(stage.operations(2000), of: count).map { try Profiles.user($0) }
        let addresses = selected.compactMap(\.mailAddress)
        func find(_ users: any Repository<User>) async throws -> Double {
            let profiles = UserUseCase(users: users)
            return try await Rounds.seconds {
                for address in addresses {
                    guard try await profiles.users(withMailAddress: address).count == 1 else {
                        throw Failure("\(address)")
                    }
                }
            }
        }
        let users = try UserProfileStorage(store: postgres.store).users
        let lmdbUsers = try UserProfileStorage(store: postgres.lmdb).users
        let byID = try await Rounds(stage.rounds(15)) {
            try await find(users)
        } theirs: {
            try await Rounds.seconds {
                for user in selected { guard try await users.find(user.id) != nil else { throw Failure("\(user.id)") } }
            }
        }
        let lmdb = try await Rounds(stage.rounds(7)) {
            try await find(users)
        } theirs: {
            try await find(lmdbUsers)
        }
        return [("read by id", Goal.atMost(2.2), byID), ("LMDB store", nil, lmdb)].map { peer, goal, rounds in
            Comparison(
                "postgres: find by mail address", .microseconds(per: "find"), peer: peer, goal: goal,
                operations: addresses.count, rounds)
        }
    }
}
