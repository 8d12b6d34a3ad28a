import DataStoreCore
import DataStoreLMDB
import Foundation
import UserProfileData
import UserProfileDomain
import UserProfileKit

/// The benchmark of saving mail addresses durably, one by one. The peer writes the resulting bytes by direct calls of
/// liblmdb, each in a separate transaction. This package writes the record, or saves the address through the use case,
/// which reads the profile, changes it and writes it.
///
/// A second peer passes each write to a separate thread and waits. This package must also do that, because a
/// transaction of liblmdb belongs to one thread, and the threads of tasks must not wait for a disk.
///
/// Rounds are short and numerous, because the duration of a disk flush varies.
struct DurableSaveBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let numbers = Array((0..<count).shuffled().prefix(500))
        let steps = try await SaveStep.sequence(numbers, on: stage)
        let pair = try await SavePair(stage, count: count)
        let profiles = pair.storage.profiles
        let mapping = User.mapping()
        let queue = BareQueue(pair.peer)
        defer { queue.close() }

        let saveCount = stage.operations(20)
        var (mine, other) = (0, 0)
        func next(_ position: inout Int) -> [SaveStep] {
            defer { position += saveCount }
            return (0..<saveCount).map { steps[(position + $0) % steps.count] }
        }
        func compare(
            _ work: String, _ roundCount: Int = 100, peer: String = "bare: begin, put, commit",
            goal: Goal? = .atMost(1.05),
            save: (User) async throws -> Void,
            theirs put: ([SaveStep]) async throws -> Void
        ) async throws -> Comparison {
            let rounds = try await Rounds(stage.rounds(roundCount)) {
                let steps = next(&mine)
                return try await Rounds.seconds { for step in steps { try await save(step.user) } }
            } theirs: {
                let steps = next(&other)
                return try await Rounds.seconds { try await put(steps) }
            }
            return Comparison(
                "\(work) durably, \(count) profiles", .microseconds(per: "save"), peer: peer, goal: goal,
                operations: saveCount, rounds)
        }
        func put(_ user: User) async throws {
            let key = try Key(collection: mapping.collection, id: user.id.text)
            try await pair.store.write { transaction in try transaction.put(mapping.record(of: user), for: key) }
        }
        func putAlone(_ steps: [SaveStep]) throws {
            try Rounds.onThread { try pair.peer.put(steps.map(\.entry), perTransaction: 1) }
        }
        func saveAddress(_ user: User) async throws {
            try await profiles.saveMailAddress(user.mailAddress, of: user.id)
        }
        var comparisons = [
            try await compare("put a record", save: put, theirs: putAlone),
            try await compare("put a record", peer: "bare, on a dedicated thread", goal: nil, save: put) { steps in
                try Rounds.onThread { for step in steps { try queue.put(step.entry) } }
            },
            try await compare("save a mail address", save: saveAddress, theirs: putAlone),
        ]
        let sqlite = try SQLiteProfiles.make(count: count, on: stage)
        comparisons.append(
            try await compare("save a mail address", 40, peer: "GRDB", goal: nil, save: saveAddress) { steps in
                try Rounds.onThread {
                    for step in steps { try sqlite.save(step.user.mailAddress?.text ?? "", of: step.user.id.text) }
                }
            })
        try sqlite.remove(on: stage)
        let memory = try UserProfileStorage(store: try await Profiles.memoryStore(count: count))
        comparisons.append(
            try await compare("save a mail address", 10, peer: "memory store", goal: nil, save: saveAddress) { steps in
                for step in steps { try await memory.profiles.saveMailAddress(step.user.mailAddress, of: step.user.id) }
            })
        await memory.close()
        // After all steps, both stores must contain the same bytes.
        try pair.peer.put(steps.map(\.entry), perTransaction: steps.count)
        let records = try steps.map { step in
            (try Key(collection: mapping.collection, id: step.user.id.text), try mapping.record(of: step.user))
        }
        try await pair.store.write { for (key, record) in records { try $0.put(record, for: key) } }
        try await pair.closeAndCompare()
        comparisons += try await wholeFiles(steps)
        return comparisons
    }

    /// Compares with peers that write the complete file in each save: a JSON file and `UserDefaults`. A few saves
    /// suffice.
    private func wholeFiles(_ steps: [SaveStep]) async throws -> [Comparison] {
        let path = try await stage.store(count: count)
        let storage = try await UserProfileStorage.open(.lmdb(path), buildsIndexes: false)
        var json = try JSONProfiles(count: count, on: stage)
        let defaults = try PlistProfiles.defaults(count: count, on: stage)
        let saveCount = 2
        var position = 0
        func compare(_ peer: String, _ save: (User) throws -> Void) async throws -> Comparison {
            let rounds = try await Rounds(stage.rounds(4)) {
                try await Rounds.seconds {
                    for step in steps[position..<position + saveCount] {
                        try await storage.profiles.saveMailAddress(step.user.mailAddress, of: step.user.id)
                    }
                }
            } theirs: {
                defer { position += saveCount }
                return try Rounds.secondsOnThread {
                    for step in steps[position..<position + saveCount] { try save(step.user) }
                }
            }
            return Comparison(
                "save a mail address durably, \(count) profiles", .microseconds(per: "save"), peer: peer,
                operations: saveCount, rounds)
        }
        let comparisons = [
            try await compare("JSON file, encoded, replaced") { user in
                try json.save(user.mailAddress?.text ?? "", of: user.id.text)
            },
            try await compare("UserDefaults, not synced") { user in
                defaults.set(
                    user.mailAddress?.text, forKey: PlistProfiles.mailAddressKey(try Profiles.number(of: user.id)))
                guard defaults.synchronize() else { throw Failure("the suite cannot be written") }
            },
        ]
        await storage.close()
        try stage.remove(path)
        return comparisons
    }
}
