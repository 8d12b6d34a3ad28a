import DataStoreCore
import DataStoreLMDB

/// `crash HONESTY PATH SEED STEP STEP STEP STEP`: saves and saves, each task from its step on, until it is killed.
///
/// Writes `opening`, and for each step that is done `TASK STEP`.
struct CrashCommand {
    /// Whether it does what it says. The others are there to test the test.
    enum Honesty: String {
        /// Says that a step is done when the save has returned.
        case honest
        /// Says so before it.
        case hasty
        /// Makes a transaction of each change, before the one that they should be.
        case torn
    }

    private let honesty: Honesty
    private let path: String
    private let workload: CrashWorkload
    private let firstSteps: [Int]

    init(_ arguments: inout Arguments) throws {
        let word = try arguments.text("honesty")
        guard let honesty = Honesty(rawValue: word) else {
            throw Arguments.Problem(description: "\(word) is no honesty")
        }
        self.honesty = honesty
        path = try arguments.text("path")
        workload = CrashWorkload(seed: try arguments.number("seed"))
        firstSteps = try (0..<CrashWorkload.taskCount).map { _ in try arguments.number("first step") }
    }

    func run() throws {
        Output.line("opening")
        let store = try LMDBDataStore(path: path)
        try ThisThread.run { try await saveOn(store) }
    }

    private func saveOn(_ store: LMDBDataStore) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (task, first) in firstSteps.enumerated() {
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    for number in first... {
                        if honesty == .hasty { Output.line("\(task) \(number)") }
                        try await save(workload.step(number, of: task), of: task, to: store)
                        if honesty != .hasty { Output.line("\(task) \(number)") }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func save(_ step: CrashStep, of task: Int, to store: LMDBDataStore) async throws {
        if honesty == .torn, step.isCounted, !step.isThrowing {
            for change in step.changes {
                try await save(CrashStep(changes: [change], isThrowing: false), of: task, to: store)
            }
        }
        do {
            try await store.write { transaction in
                for change in step.changes {
                    let key = try Key(collection: CrashWorkload.collection(of: task), id: change.id)
                    if let content = change.content {
                        try transaction.put(workload.record(content), for: key)
                    } else {
                        try transaction.remove(key)
                    }
                }
                if step.isCounted { try Self.increment(CrashWorkload.counter(), in: &transaction) }
                if step.isThrowing { throw CrashStep.Interruption() }
            }
        } catch is CrashStep.Interruption {}
    }

    /// Adds one to a record of one number.
    static func increment(_ key: Key, in transaction: inout WriteTransaction) throws {
        var count: Int64 = 0
        if case .integer(let stored) = try transaction.record(for: key)?["count"] { count = stored }
        try transaction.put(["count": .integer(count + 1)], for: key)
    }
}
