import DataStoreCore
import Synchronization

/// Tasks that save records concurrently. Each save is a step: it changes up to four records of its task, counts the
/// steps and logs its task.
final class Workload: Sendable {
    private static let data = "data"
    private static let log = "log"
    private static let byteCounts = [5, 150, 900, 5000]

    private let seed: UInt64
    private let taskCount: Int
    private let stepCount: Int
    private let byteCounts: [Int]
    /// The task of each step, in the order of the commits.
    private let tasks = Mutex<[Int: Int]>([:])
    /// The records after each number of steps.
    private let contents = Mutex<[[String: Record]]>([])

    /// - Parameters:
    ///   - seed: The seed of the changes.
    ///   - taskCount: The number of tasks.
    ///   - stepCount: The number of saves of each task.
    ///   - maximumByteCount: The maximum size of a record.
    init(seed: UInt64, taskCount: Int, stepCount: Int, maximumByteCount: Int = 5000) {
        self.seed = seed
        self.taskCount = taskCount
        self.stepCount = stepCount
        byteCounts = Self.byteCounts.filter { $0 <= maximumByteCount }
    }

    /// The number of steps of all tasks.
    var totalStepCount: Int { taskCount * stepCount }

    /// Saves all steps.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - acknowledge: Called with the number of each step after its save has returned.
    /// - Throws: The errors of the store and of `acknowledge`.
    func run(_ store: any DataStore, _ acknowledge: @escaping @Sendable (Int) throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            for task in 0..<taskCount {
                group.addTask { [self] in
                    for number in 0..<stepCount {
                        let changes = changes(of: task, number)
                        let step = try await store.write { transaction in
                            let step = try transaction.records(in: Scan(Self.log)).count + 1
                            for (id, record) in changes {
                                let key = try Key(collection: Self.data, id: id)
                                if let record {
                                    try transaction.put(record, for: key)
                                } else {
                                    try transaction.remove(key)
                                }
                            }
                            let entry = try Key(collection: Self.log, id: Self.id(of: step))
                            try transaction.put(["task": .integer(Int64(task))], for: entry)
                            return step
                        }
                        tasks.withLock { $0[step] = task }
                        try acknowledge(step)
                    }
                }
            }
            try await group.waitForAll()
        }
        let contents = allContents()
        self.contents.withLock { $0 = contents }
    }

    /// Verifies that a store contains the first steps.
    ///
    /// - Returns: The number of steps.
    func stepCount(in store: any DataStore) async throws -> Int {
        let (log, data) = try await store.read { transaction in
            (try transaction.records(in: Scan(Self.log)), try transaction.records(in: Scan(Self.data)))
        }
        for (index, entry) in log.enumerated() {
            let task = tasks.withLock { $0[index + 1] }
            guard entry.key.id == Self.id(of: index + 1), entry.record["task"] == task.map({ .integer(Int64($0)) })
            else { throw Damage("step \(index + 1) is logged as \(entry.key.id), \(entry.record)") }
        }
        let contents = contents.withLock { $0 }
        guard contents.indices.contains(log.count) else { throw Damage("the store has \(log.count) steps") }
        var expected = contents[log.count]
        for entry in data where expected.removeValue(forKey: entry.key.id) != entry.record {
            throw Damage("after step \(log.count) the record \(entry.key.id) is wrong")
        }
        if let id = expected.keys.min() { throw Damage("after step \(log.count) the record \(id) is missing") }
        return log.count
    }

    /// Saves a record of another collection.
    func proceed(in store: any DataStore) async throws {
        try await store.write { try $0.put(["n": .integer(1)], for: Key(collection: "proceeded", id: "me")) }
    }

    private static func id(of step: Int) -> String { String(100_000 + step) }

    private func changes(of task: Int, _ number: Int) -> [(id: String, record: Record?)] {
        var random = Random(seed: seed &+ UInt64(task * 1_000_000 + number))
        return (0..<Int.random(in: 1...4, using: &random)).map { _ in
            let id = "\(task)-\(Int.random(in: 0..<8, using: &random))"
            if Int.random(in: 0..<5, using: &random) == 0 { return (id, nil) }
            let count = byteCounts.randomElement(using: &random) ?? 0
            let text = String(repeating: String(UInt8.random(in: 0..<10, using: &random)), count: count)
            return (id, ["number": .integer(Int64(number)), "text": .string(text)])
        }
    }

    private func allContents() -> [[String: Record]] {
        var contents: [[String: Record]] = [[:]]
        var numbers = [Int](repeating: 0, count: taskCount)
        let tasks = tasks.withLock { $0 }
        for step in 1...totalStepCount {
            var records = contents[step - 1]
            if let task = tasks[step] {
                for (id, record) in changes(of: task, numbers[task]) { records[id] = record }
                numbers[task] += 1
            }
            contents.append(records)
        }
        return contents
    }
}
