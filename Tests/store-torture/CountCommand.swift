import DataStoreCore
import TortureKit

/// `count PATH SEED INCREMENTS`: several tasks increment counters that all processes share, one or two per write, and a
/// counter of their own with each write.
///
/// Writes `tally N N N N N` at the end: how often it has incremented each.
struct CountCommand {
    /// The number of counters.
    static let counterCount = 5

    /// The number of concurrent tasks.
    static let taskCount = 8

    private let location: StoreLocation
    private let seed: Int
    private let incrementCount: Int

    init(_ arguments: inout Arguments) throws {
        location = try arguments.location()
        seed = try arguments.number("seed")
        incrementCount = try arguments.number("number of increments")
    }

    /// Returns the key of a counter.
    static func counter(_ number: Int) throws -> Key { try Key(collection: "counters", id: "\(number)") }

    /// Returns the key of a counter that only one task of one process uses.
    static func own(_ seed: Int, _ task: Int) throws -> Key { try Key(collection: "own", id: "\(seed)-\(task)") }

    func run() throws {
        let store = try location.open()
        let tally = try CurrentThreadExecutor.run {
            try await withThrowingTaskGroup(of: [Int].self) { group in
                for task in 0..<Self.taskCount {
                    group.addTask(executorPreference: globalConcurrentExecutor) { try await count(task, in: store) }
                }
                return try await group.reduce(Array(repeating: 0, count: Self.counterCount)) { zip($0, $1).map(+) }
            }
        }
        Output.line("tally \(tally.map(String.init).joined(separator: " "))")
    }

    /// Makes the increments of one task and returns how often it has incremented each counter.
    private func count(_ task: Int, in store: any DataStore) async throws -> [Int] {
        var tally = Array(repeating: 0, count: Self.counterCount)
        for number in stride(from: task, to: incrementCount, by: Self.taskCount) {
            // All pairs of counters occur, and every third write increments only one counter.
            let first = (number + seed) % Self.counterCount
            let second = (first + 1 + number / Self.counterCount % (Self.counterCount - 1)) % Self.counterCount
            let counters = number.isMultiple(of: 3) ? [first] : [first, second]
            try await write(to: store) { transaction in
                for counter in counters { try transaction.increment(Self.counter(counter)) }
                try transaction.increment(Self.own(seed, task))
            }
            for counter in counters { tally[counter] += 1 }
        }
        return tally
    }

    /// Writes, and repeats the attempt while other processes hold the lock for too long. On a busy disk one of them may
    /// need half a minute to sync a file. The error guarantees that nothing was changed.
    private func write(
        to store: any DataStore, _ body: @escaping @Sendable (inout WriteTransaction) throws -> Void
    ) async throws {
        while true {
            do {
                return try await store.write(body)
            } catch let error as DataStoreError where error.code == .busy {
                continue
            }
        }
    }
}
