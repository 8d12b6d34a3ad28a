import DataStoreCore
import TortureKit

/// `share PATH PROCESS COUNT`: several tasks increment one counter, which all processes share, and save records that no
/// other process saves. They do COUNT writes of each kind.
///
/// Writes `shared COUNT` at the end.
struct ShareCommand {
    /// The collection of the records that only one process saves.
    static let collection = "different"

    private static let taskCount = 8

    private let location: StoreLocation
    private let process: Int
    private let count: Int

    init(_ arguments: inout Arguments) throws {
        location = try arguments.location()
        process = try arguments.number("number of the process")
        count = try arguments.number("number of writes")
    }

    /// Returns the key of the counter.
    static func counter() throws -> Key { try Key(collection: "shared", id: "counter") }

    /// Returns the key of a record that one process saves.
    static func key(_ number: Int, of process: Int) throws -> Key {
        try Key(collection: collection, id: "\(process)-\(number)")
    }

    func run() throws {
        let store = try location.open()
        try CurrentThreadExecutor.run { [self] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<Self.taskCount {
                    group.addTask(executorPreference: globalConcurrentExecutor) {
                        for number in stride(from: task, to: count, by: Self.taskCount) {
                            try await write(to: store) { try $0.increment(Self.counter()) }
                            try await write(to: store) {
                                try $0.put(["n": .integer(Int64(number))], for: Self.key(number, of: process))
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            await store.close()
        }
        Output.line("shared \(count)")
    }

    /// Writes, and repeats the attempt while it conflicts with other processes for too long. The error guarantees that
    /// nothing was changed.
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
