import DataStoreLMDB
import UserProfileDomain
import UserProfileKit

/// The benchmark of saving mail addresses durably from many concurrent tasks, so that saves share commits. Each task
/// saves its own profile repeatedly.
///
/// One peer is a loop that writes the same bytes, with 64 puts in each transaction, or with as many as this package
/// had. Another peer has 64 threads that pass their writes to one thread, which commits all waiting writes together.
struct SharedCommitBenchmark {
    /// The number of tasks to which the goals apply. It is also the minimum number of profiles.
    static let taskCount = 64

    let stage: Stage
    let count: Int
    var taskCount = Self.taskCount

    /// Runs the benchmark with other numbers of tasks.
    static func run(taskCounts: [Int], on stage: Stage, count: Int) async throws -> [Comparison] {
        var comparisons: [Comparison] = []
        for taskCount in taskCounts {
            comparisons += try await Self(stage: stage, count: count, taskCount: min(taskCount, count)).run()
        }
        return comparisons
    }

    func run() async throws -> [Comparison] {
        let numbers = (0..<taskCount).map { $0 * (count / taskCount) }
        let steps = try await SaveStep.sequence(numbers, on: stage)
        // An even number of passes ends with the initial values, so that the next round changes each value, too.
        let passCount = (stage.operations(taskCount > Self.taskCount ? 6 : 40) + 1) / 2
        let round = Array(repeatElement(steps, count: passCount).joined())
        let entries = round.map(\.entry)
        let parts = (0..<taskCount).map { task in
            stride(from: task, to: round.count, by: taskCount).map { round[$0] }
        }

        let pair = try await SavePair(stage, count: count)
        let profiles = pair.storage.profiles
        var savesPerCommit: [Double] = []
        func ours() async throws -> Double {
            let before = try pair.store.generation()
            let seconds = try await Rounds.seconds {
                try await save(parts) { user in
                    try await profiles.saveMailAddress(user.mailAddress, of: user.id)
                }
            }
            savesPerCommit.append(Double(round.count) / Double(try pair.store.generation() - before))
            return seconds
        }
        let full = try await Rounds(stage.rounds(11), ours: ours) {
            try Rounds.secondsOnThread { try pair.peer.put(entries, perTransaction: taskCount) }
        }
        let same = try await Rounds(stage.rounds(11), ours: ours) {
            let batch = max(1, Int((savesPerCommit.last ?? 1).rounded()))
            return try Rounds.secondsOnThread { try pair.peer.put(entries, perTransaction: batch) }
        }
        let queue = BareQueue(pair.peer)
        defer { queue.close() }
        let entryParts = parts.map { $0.map(\.entry) }
        let threads = try await Rounds(stage.rounds(11), ours: ours) {
            try Rounds.secondsOnThread { try queue.put(entryParts) }
        }
        let sqlite = try SQLiteProfiles.make(count: count, on: stage)
        let besideSQLite = try await Rounds(stage.rounds(5), ours: ours) {
            try await Rounds.seconds {
                try await save(parts) { user in
                    try await sqlite.saveFromTask(user.mailAddress?.text ?? "", of: user.id.text)
                }
            }
        }
        try SQLiteProfiles.compare(sqlite.list(), await pair.storage.users.list(), "saves of tasks")
        try sqlite.remove(on: stage)
        try await pair.closeAndCompare()
        let name = "save durably with \(taskCount) tasks"
        return [
            Comparison(
                name, .perSecond("saves"), peer: "bare: as many puts per commit", goal: .atLeast(0.8),
                operations: round.count, same),
            Comparison(
                name, .perSecond("saves"), peer: "bare: \(taskCount) puts per commit", goal: .atLeast(0.8),
                operations: round.count, full),
            Comparison(
                name, .perSecond("saves"), peer: "bare: \(taskCount) threads, one committer", operations: round.count,
                threads),
            Comparison(
                name, .perSecond("saves"), peer: "GRDB", goal: .atLeast(3), operations: round.count, besideSQLite),
            Comparison(
                name, .amount("saves/commit"), peer: "\(taskCount) puts per commit", ours: savesPerCommit,
                theirs: savesPerCommit.map { _ in Double(taskCount) }),
        ]
    }

    private func save(_ parts: [[SaveStep]], _ save: @escaping @Sendable (User) async throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            for steps in parts {
                group.addTask { for step in steps { try await save(step.user) } }
            }
            try await group.waitForAll()
        }
    }
}
