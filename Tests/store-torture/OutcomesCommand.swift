import DataStoreCore
import Dispatch
import Synchronization
import TortureKit

/// `outcomes PATH PROCESS`: saves and reads while the server of the store fails, until there is input or the input
/// ends. An error does not end the program.
///
/// Each task performs its steps sequentially. A step saves two records in one write, and every fourth step also
/// increments a counter that all processes share. Then the task reads the records. The program writes `opening`. For
/// each step it writes one of the first two lines, and one of the last two, with the milliseconds that the call took:
///
/// - `saved TASK STEP TIME`
/// - `failed TASK STEP TIME CODE MESSAGE`
/// - `read TASK STEP TIME COUNT`: the number of records that were found.
/// - `unread TASK STEP TIME CODE MESSAGE`
///
/// At the end, it writes `done`.
struct OutcomesCommand {
    /// The number of concurrent tasks.
    static let taskCount = 6

    private let location: StoreLocation
    private let process: Int

    init(_ arguments: inout Arguments) throws {
        location = try arguments.location()
        process = try arguments.number("number of the process")
    }

    func run() throws {
        Output.line("opening")
        let end = Tally()
        DispatchQueue.global().async {
            CurrentProcess.waitForInput()
            end.add(1)
        }
        try CurrentThreadExecutor.run { [self] in
            let store = try location.open()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<Self.taskCount {
                    group.addTask(executorPreference: globalConcurrentExecutor) {
                        var step = 0
                        while end.sum == 0 {
                            try await run(step, of: "\(process)-\(task)", on: store)
                            step += 1
                        }
                    }
                }
                try await group.waitForAll()
            }
            await store.close()
        }
        Output.line("done")
    }

    private func run(_ step: Int, of task: String, on store: any DataStore) async throws {
        let keys = try ["left", "right"].map { try Key(collection: $0, id: "\(task) \(step)") }
        let counter = try Key(collection: "shared", id: "steps")
        let name = "\(task) \(step)"
        await report("saved \(name)", "failed \(name)") {
            try await store.write { transaction in
                for key in keys { try transaction.put(["step": .integer(Int64(step))], for: key) }
                if step.isMultiple(of: 4) { try transaction.increment(counter) }
            }
            return ""
        }
        await report("read \(name)", "unread \(name)") {
            // In every second step, the first answer arrives before the closure needs it.
            let records = try await store.read(prefetching: keys[step % 2]) { transaction in
                try [transaction.record(for: keys[0]), transaction.record(for: keys[1])]
            }
            return " \(records.count { $0 != nil })"
        }
    }

    /// Runs a closure and writes a line with its duration and its result or error.
    private func report(_ success: String, _ failure: String, _ body: () async throws -> String) async {
        let start = ContinuousClock.now
        func milliseconds() -> Int { Int((ContinuousClock.now - start) / .milliseconds(1)) }
        do {
            let result = try await body()
            Output.line("\(success) \(milliseconds())\(result)")
        } catch {
            let code = (error as? DataStoreError).map { "\($0.code)" } ?? "\(type(of: error))"
            Output.line("\(failure) \(milliseconds()) \(code) \(error)")
            // A server that is not running fails each call at once.
            CurrentProcess.sleep(milliseconds: 20)
        }
    }
}
