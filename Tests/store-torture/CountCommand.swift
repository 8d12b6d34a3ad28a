import DataStoreCore
import DataStoreLMDB

/// `count PATH SEED INCREMENTS`: several tasks increment counters that all processes share, one or two in a write.
///
/// Writes `tally N N N N N` in the end: how often it has incremented each.
struct CountCommand {
    /// How many counters there are.
    static let counterCount = 5

    private static let taskCount = 8

    private let path: String
    private let seed: Int
    private let incrementCount: Int

    init(_ arguments: inout Arguments) throws {
        path = try arguments.text("path")
        seed = try arguments.number("seed")
        incrementCount = try arguments.number("number of increments")
    }

    /// The key of a counter.
    static func counter(_ number: Int) throws -> Key { try Key(collection: "counters", id: "\(number)") }

    func run() throws {
        let store = try LMDBDataStore(path: path)
        let tally = try ThisThread.run {
            try await withThrowingTaskGroup(of: [Int].self) { group in
                for task in 0..<Self.taskCount {
                    group.addTask(executorPreference: globalConcurrentExecutor) { try await count(task, in: store) }
                }
                return try await group.reduce(Array(repeating: 0, count: Self.counterCount)) { zip($0, $1).map(+) }
            }
        }
        Output.line("tally \(tally.map(String.init).joined(separator: " "))")
    }

    /// A task's share.
    private func count(_ task: Int, in store: LMDBDataStore) async throws -> [Int] {
        var tally = Array(repeating: 0, count: Self.counterCount)
        for number in stride(from: task, to: incrementCount, by: Self.taskCount) {
            // Every pair of counters has its turn, and every third write has only one.
            let first = (number + seed) % Self.counterCount
            let second = (first + 1 + number / Self.counterCount % (Self.counterCount - 1)) % Self.counterCount
            let counters = number.isMultiple(of: 3) ? [first] : [first, second]
            try await store.write { transaction in
                for counter in counters { try CrashCommand.increment(Self.counter(counter), in: &transaction) }
            }
            for counter in counters { tally[counter] += 1 }
        }
        return tally
    }
}
