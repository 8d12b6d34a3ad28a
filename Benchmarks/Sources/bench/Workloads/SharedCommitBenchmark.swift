import DataStoreLMDB
import UserProfileDomain
import UserProfileKit

/// Saves mail addresses durably from many tasks at once, each its own profile again and again, so that saves share
/// commits. The peer is a loop that puts the same bytes: 64 in each transaction, or as many as we had; or it has 64 threads that
/// hand their puts to one that commits what waits.
struct SharedCommitBenchmark {
    static let taskCount = 64

    let stage: Stage
    let count: Int

    func run() async throws -> [Comparison] {
        let numbers = (0..<Self.taskCount).map { $0 * (count / Self.taskCount) }
        let steps = try await SaveStep.sequence(numbers, on: stage)
        // An even number of passes ends where it began, so that the next round changes something, too.
        let passCount = (stage.operations(40) + 1) / 2
        let round = Array(repeatElement(steps, count: passCount).joined())
        let entries = round.map(\.entry)
        let parts = (0..<Self.taskCount).map { task in
            stride(from: task, to: round.count, by: Self.taskCount).map { round[$0] }
        }

        let pair = try await SavePair(stage, count: count)
        var savesPerCommit: [Double] = []
        func ours() async throws -> Double {
            let before = try pair.store.generation()
            let seconds = try await Rounds.seconds { try await save(parts, pair.storage.users) }
            savesPerCommit.append(Double(round.count) / Double(try pair.store.generation() - before))
            return seconds
        }
        let full = try await Rounds(stage.rounds(15), ours: ours) {
            try Rounds.secondsOnThread { try pair.peer.put(entries, perTransaction: Self.taskCount) }
        }
        let same = try await Rounds(stage.rounds(15), ours: ours) {
            let batch = max(1, Int((savesPerCommit.last ?? 1).rounded()))
            return try Rounds.secondsOnThread { try pair.peer.put(entries, perTransaction: batch) }
        }
        let queue = BareQueue(pair.peer)
        defer { queue.close() }
        let entryParts = parts.map { $0.map(\.entry) }
        let threads = try await Rounds(stage.rounds(15), ours: ours) {
            try Rounds.secondsOnThread { try queue.put(entryParts) }
        }
        try await pair.closeAndCompare()
        let name = "save durably with \(Self.taskCount) tasks"
        return [
            Comparison(
                name, .perSecond("saves"), peer: "as many puts a commit as ours", goal: .atLeast(0.8),
                operations: round.count, same),
            Comparison(
                name, .perSecond("saves"), peer: "\(Self.taskCount) puts a commit", goal: .atLeast(0.8),
                operations: round.count, full),
            Comparison(
                name, .perSecond("saves"), peer: "\(Self.taskCount) threads, one commits", operations: round.count,
                threads),
            Comparison(
                name, .amount("saves/commit"), peer: "\(Self.taskCount) puts a commit", ours: savesPerCommit,
                theirs: savesPerCommit.map { _ in Double(Self.taskCount) }),
        ]
    }

    private func save(_ parts: [[SaveStep]], _ users: UserUseCase) async throws {
        try await withThrowingTaskGroup { group in
            for steps in parts {
                group.addTask {
                    for step in steps { try await users.saveMailAddress(step.user.mailAddress, of: step.user.id) }
                }
            }
            try await group.waitForAll()
        }
    }
}
