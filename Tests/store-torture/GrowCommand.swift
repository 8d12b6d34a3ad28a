import DataStoreCore
import DataStoreLMDB

/// `grow PATH NAME BLOCKS`: saves blocks under its own ids while it reads the ones of all processes.
///
/// Writes `read N` at the end: how many blocks it read.
struct GrowCommand {
    static let collection = "blocks"
    private static let byteCount = 100_000

    private let path: String
    private let name: String
    private let blockCount: Int

    init(_ arguments: inout Arguments) throws {
        path = try arguments.text("path")
        name = try arguments.text("name")
        blockCount = try arguments.number("number of blocks")
    }

    /// Returns the contents of the block with an id.
    static func block(_ id: String) -> Record {
        ["data": .data(Array(repeating: id.utf8.reduce(0) { $0 &* 31 &+ $1 }, count: byteCount))]
    }

    func run() throws {
        let store = try LMDBDataStore(path: path)
        let readCount = try CurrentThreadExecutor.run {
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    for number in 0..<blockCount {
                        let id = "\(name)-\(number)"
                        try await store.write { transaction in
                            try transaction.put(Self.block(id), for: Key(collection: Self.collection, id: id))
                        }
                    }
                    return 0
                }
                group.addTask(executorPreference: globalConcurrentExecutor) { try await read(in: store) }
                return try await group.reduce(0, +)
            }
        }
        Output.line("read \(readCount)")
    }

    /// Reads all blocks repeatedly until all of the process's own blocks exist.
    private func read(in store: LMDBDataStore) async throws -> Int {
        var readCount = 0
        while true {
            // If a save has failed, they never all exist.
            try Task.checkCancellation()
            let entries = try store.read { try $0.records(in: Scan(Self.collection)) }
            for entry in entries where entry.record != Self.block(entry.key.id) {
                throw Arguments.Problem(description: "the block \(entry.key.id) is another one")
            }
            readCount += entries.count
            if entries.count(where: { $0.key.id.hasPrefix("\(name)-") }) == blockCount { return readCount }
            await Task.yield()
        }
    }
}
