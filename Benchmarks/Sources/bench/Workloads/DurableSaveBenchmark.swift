import UserProfileDomain
import UserProfileKit

/// Saves mail addresses durably, one after the other: through the use case, which reads the profile, changes it and
/// writes it, and by bare calls that put the bytes that come of that, each in a transaction of its own.
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

        let saveCount = stage.operations(20)
        var (mine, other) = (0, 0)
        func next(_ position: inout Int) -> [SaveStep] {
            defer { position += saveCount }
            return (0..<saveCount).map { steps[(position + $0) % steps.count] }
        }
        let rounds = try await Rounds(stage.rounds(100)) {
            let steps = next(&mine)
            return try await Rounds.seconds {
                for step in steps { try await users.saveMailAddress(step.mailAddress, of: step.id) }
            }
        } theirs: {
            let entries = next(&other).map(\.entry)
            return try Rounds.secondsOnThread { try pair.peer.put(entries, perTransaction: 1) }
        }
        try await pair.closeAndCompare()
        return [
            Comparison(
                "save a mail address durably, \(count) profiles", .microseconds(per: "save"),
                peer: "begin, put, commit", goal: .atMost(1.05), operations: saveCount, rounds)
        ]
    }
}
