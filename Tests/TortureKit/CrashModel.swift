import DataStoreCore

/// The expected contents of the store in a crash test: the result of all steps of each task up to its last one.
struct CrashModel {
    /// The progress of one task.
    private struct Progress {
        var stepCount = 0
        /// Whether the last step was not acknowledged.
        var isAhead = false
        var countedSteps: Int64 = 0
        var contents: [String: CrashStep.Content] = [:]
    }

    private let workload: CrashWorkload
    private var tasks = Array(repeating: Progress(), count: CrashWorkload.taskCount)

    init(seed: UInt64) { workload = CrashWorkload(seed: seed) }

    /// The next step of each task.
    var nextSteps: [Int] { tasks.map(\.stepCount) }

    /// Applies the lines `TASK STEP` of the program's output.
    ///
    /// - Returns: A description of each unexpected line.
    mutating func apply(_ lines: [String]) -> [String] {
        for task in tasks.indices { tasks[task].isAhead = false }
        return lines.compactMap { line in
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 2, tasks.indices.contains(numbers[0]), tasks[numbers[0]].stepCount == numbers[1]
            else { return "unexpected line: \(line)" }
            doStep(of: numbers[0])
            return nil
        }
    }

    /// The number of tasks that were killed after a commit and before its acknowledgment.
    var aheadCount: Int { tasks.count(where: \.isAhead) }

    /// Compares the model with the contents of a store. Each task may have been killed just before it acknowledged one
    /// more step; then the store must contain that step completely.
    ///
    /// - Returns: The differences.
    mutating func differences(in transaction: borrowing ReadTransaction) throws -> [String] {
        var differences: [String] = []
        for task in tasks.indices {
            let found = try transaction.records(in: Scan(CrashWorkload.collection(of: task)))
            let records = Dictionary(uniqueKeysWithValues: found.map { ($0.key.id, $0.record) })
            let acknowledged = self.differences(of: task, in: records)
            if acknowledged.isEmpty { continue }
            let before = tasks[task]
            doStep(of: task)
            tasks[task].isAhead = true
            if before.isAhead || !self.differences(of: task, in: records).isEmpty {
                tasks[task] = before
                differences += acknowledged
            }
        }
        let expected = tasks.map(\.countedSteps).reduce(0, +)
        let counter = try transaction.record(for: CrashWorkload.counter())?["count"] ?? .integer(0)
        if counter != .integer(expected) { differences.append("the counter is \(counter), not \(expected)") }
        return differences
    }

    private func differences(of task: Int, in records: [String: Record]) -> [String] {
        let expected = tasks[task].contents.mapValues { workload.record($0) }
        return Set(expected.keys).union(records.keys).filter { expected[$0] != records[$0] }.sorted().map { id in
            "task \(task) after step \(tasks[task].stepCount): record \(id) is \(Self.name(records[id])), "
                + "not \(Self.name(expected[id]))"
        }
    }

    private static func name(_ record: Record?) -> String {
        record.map { "of step \($0["step"] ?? .bool(false)), change \($0["index"] ?? .bool(false))" } ?? "missing"
    }

    private mutating func doStep(of task: Int) {
        let step = workload.step(tasks[task].stepCount, of: task)
        tasks[task].stepCount += 1
        if step.isThrowing { return }
        for change in step.changes { tasks[task].contents[change.id] = change.content }
        if step.isCounted { tasks[task].countedSteps += 1 }
    }
}
