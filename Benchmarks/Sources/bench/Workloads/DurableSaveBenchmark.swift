import DataStoreCore
import DataStoreLMDB
import UserProfileData
import UserProfileDomain
import UserProfileKit

/// Saves mail addresses durably, one after the other. The peer puts the bytes that come of that by bare calls, each in a
/// transaction of its own. We put the record, or save the address through the use case, which reads the profile, changes
/// it and writes it.
///
/// A second peer hands each put to a thread of its own and waits, as our saves must: a transaction of liblmdb belongs to one
/// thread, and those of the tasks must not wait for a disk.
///
/// What a flush of the disk takes changes from one moment to the next: rounds are short and many.
struct DurableSaveBenchmark {
    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let numbers = Array((0..<count).shuffled().prefix(500))
        let steps = try await SaveStep.sequence(numbers, on: stage)
        let pair = try await SavePair(stage, count: count)
        let users = pair.storage.users
        let mapping = UserMapping()
        let queue = BareQueue(pair.peer)
        defer { queue.close() }

        let saveCount = stage.operations(20)
        var (mine, other) = (0, 0)
        func next(_ position: inout Int) -> [SaveStep] {
            defer { position += saveCount }
            return (0..<saveCount).map { steps[(position + $0) % steps.count] }
        }
        func compare(
            _ work: String, peer: String = "begin, put, commit", goal: Goal? = .atMost(1.05),
            save: (User) async throws -> Void,
            theirs put: ([EncodedEntry]) throws -> Void
        ) async throws -> Comparison {
            let rounds = try await Rounds(stage.rounds(100)) {
                let steps = next(&mine)
                return try await Rounds.seconds { for step in steps { try await save(step.user) } }
            } theirs: {
                let entries = next(&other).map(\.entry)
                return try Rounds.secondsOnThread { try put(entries) }
            }
            return Comparison(
                "\(work) durably, \(count) profiles", .microseconds(per: "save"), peer: peer, goal: goal,
                operations: saveCount, rounds)
        }
        func put(_ user: User) async throws {
            let key = try Key(collection: mapping.collection, id: user.id.text)
            try await pair.store.write { transaction in try transaction.put(mapping.record(of: user), for: key) }
        }
        func putAlone(_ entries: [EncodedEntry]) throws { try pair.peer.put(entries, perTransaction: 1) }
        let comparisons = [
            try await compare("put a record", save: put, theirs: putAlone),
            try await compare("put a record", peer: "the same on a thread of its own", goal: nil, save: put) {
                entries in
                for entry in entries { try queue.put(entry) }
            },
            try await compare(
                "save a mail address",
                save: { user in try await users.saveMailAddress(user.mailAddress, of: user.id) }, theirs: putAlone),
        ]
        try await pair.closeAndCompare()
        return comparisons
    }
}
