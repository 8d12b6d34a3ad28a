import DataStoreCore
import DataStoreQueries
import TortureKit

/// `crash BEHAVIOR PATH SEED STEP STEP STEP STEP`: saves continuously, each task from its step on, until it is killed.
///
/// Writes `opening`, and `TASK STEP` for each completed step.
struct CrashCommand {
    private let behavior: CrashBehavior
    private let location: StoreLocation
    private let workload: CrashWorkload
    private let firstSteps: [Int]

    init(_ arguments: inout Arguments) throws {
        let word = try arguments.text("behavior")
        guard let behavior = CrashBehavior(rawValue: word) else {
            throw Arguments.Problem(description: "the behavior \(word) is unknown")
        }
        self.behavior = behavior
        location = try arguments.location()
        workload = CrashWorkload(seed: try arguments.number("seed"))
        firstSteps = try (0..<CrashWorkload.taskCount).map { _ in try arguments.number("first step") }
    }

    func run() throws {
        Output.line("opening")
        let store = try location.open()
        try CurrentThreadExecutor.run { try await saveOn(store) }
    }

    private func saveOn(_ store: any DataStore) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (task, first) in firstSteps.enumerated() {
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    for number in first... {
                        if behavior == .hasty { Output.line("\(task) \(number)") }
                        try await save(workload.step(number, of: task), of: task, to: store)
                        if behavior != .hasty { Output.line("\(task) \(number)") }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func save(_ step: CrashStep, of task: Int, to store: any DataStore) async throws {
        if behavior == .torn, step.isCounted, !step.isThrowing {
            for change in step.changes {
                try await save(CrashStep(changes: [change], isThrowing: false), of: task, to: store)
            }
        }
        do {
            try await SchemaStore(store, schema: CrashWorkload.schema()).write { transaction in
                for change in step.changes {
                    let key = try Key(collection: CrashWorkload.collection(of: task), id: change.id)
                    if let content = change.content {
                        try transaction.put(workload.record(content), for: key)
                    } else {
                        try transaction.remove(key)
                    }
                }
                if step.isCounted { try transaction.increment(CrashWorkload.counter()) }
                if step.isThrowing { throw CrashStep.Interruption() }
            }
        } catch is CrashStep.Interruption {}
    }
}
