import DataStoreCore
import DataStoreLMDB

/// `fill PATH ROOM BYTES TASKS`: saves until no space is left, and continues when space is available again.
///
/// ROOM is `limit`, or the path of a file that occupies the space; BYTES is the initial free space. Writes `rejected
/// CODE ERRNO` for each save that fails, `kept N` if the store contains exactly the saved records, and `again` for a
/// save after space is available again.
struct FillCommand {
    private static let byteCounts = [200, 5000, 120_000]

    private let location: StoreLocation
    private let diskSpace: DiskSpace
    private let byteCount: Int
    private let taskCount: Int

    init(_ arguments: inout Arguments) throws {
        location = try arguments.location()
        diskSpace = DiskSpace(try arguments.text("room"))
        byteCount = try arguments.number("number of bytes")
        taskCount = try arguments.number("number of tasks")
    }

    func run() throws {
        try CurrentThreadExecutor.run {
            let store = try location.open()
            var saved: [Key: Record] = [:]
            for number in 0..<taskCount * 3 {
                let key = try Self.key(number % taskCount, number / taskCount)
                saved[key] = Self.record(-1, number)
                try await FillCommand.save(saved[key] ?? [:], for: key, in: store)
            }
            diskSpace.occupy(leaving: byteCount, beyond: location.dataFile)
            try await withThrowingTaskGroup(of: [Key: Record].self) { group in
                for task in 0..<taskCount {
                    group.addTask(executorPreference: globalConcurrentExecutor) { try await fill(task, store) }
                }
                for try await records in group { saved.merge(records) { $1 } }
            }
            try await Self.compare(store, saved)
            // Another save, which is larger than all others, is rejected as well, and reads continue.
            let large = Value.data(Array(repeating: 1, count: 3 << 20))
            try await Self.trySave(["data": large], for: Self.key(0, 0), in: store)
            try await Self.compare(store, saved)
            diskSpace.release()
            let key = try Self.key(0, 0)
            saved[key] = Self.record(-3, 2)
            try await Self.save(saved[key] ?? [:], for: key, in: store)
            Output.line("again")
            try await Self.compare(store, saved)
            await store.close()
            let reopened = try location.open()
            try await Self.compare(reopened, saved)
            await reopened.close()
        }
    }

    /// Saves until a save is rejected. Every other save overwrites an earlier record of the task.
    private func fill(_ task: Int, _ store: any DataStore) async throws -> [Key: Record] {
        var saved: [Key: Record] = [:]
        for number in 0... {
            let key = try Self.key(task, number.isMultiple(of: 2) ? number : number % 3)
            let record = Self.record(task, number)
            guard try await Self.trySave(record, for: key, in: store) else { break }
            saved[key] = record
        }
        return saved
    }

    /// - Returns: Whether the record was saved.
    @discardableResult
    static func trySave(_ record: Record, for key: Key, in store: any DataStore) async throws -> Bool {
        do {
            try await save(record, for: key, in: store)
            return true
        } catch let error as DataStoreError {
            Output.line("rejected \(error.code) \(error.errno ?? 0)")
            return false
        }
    }

    static func save(_ record: Record, for key: Key, in store: any DataStore) async throws {
        try await store.write { try $0.put(record, for: key) }
    }

    static func compare(_ store: any DataStore, _ expected: [Key: Record]) async throws {
        if let store = store as? LMDBDataStore {
            for finding in try await store.check().findings { Output.line("damaged: \(finding)") }
        }
        let found = try await store.read { try $0.records(in: Scan("c")) }
        let isKept = found.count == expected.count && found.allSatisfy { expected[$0.key] == $0.record }
        Output.line(isKept ? "kept \(found.count)" : "lost: \(found.count) records where \(expected.count) were saved")
    }

    private static func key(_ task: Int, _ number: Int) throws -> Key {
        try Key(collection: "c", id: "\(task)-\(number)")
    }

    private static func record(_ task: Int, _ number: Int) -> Record {
        let byte = UInt8(truncatingIfNeeded: task &* 31 &+ number)
        return [
            "task": .integer(Int64(task)), "number": .integer(Int64(number)),
            "data": .data(Array(repeating: byte, count: byteCounts[number % byteCounts.count])),
        ]
    }
}
