import DataStoreCore
import DataStoreQueries
import TortureKit

/// `unique PATH PROCESS`: saves titles from a pool that all processes share, and titles of its own. Its schema depends
/// on its number, see ``UniqueRun``.
///
/// It starts to save when all processes have opened the store. Writes `won TITLE` for each save, `lost TITLE` if
/// another record has the title, and `failed TITLE CODE REASON` otherwise.
struct UniqueCommand {
    private let location: StoreLocation
    private let process: Int

    init(_ arguments: inout Arguments) throws {
        location = try arguments.location()
        process = try arguments.number("number of the process")
    }

    func run() throws {
        let store = try location.open()
        try CurrentThreadExecutor.run { [self] in
            let writer = SchemaStore(store, schema: try UniqueRun.schema(of: process))
            try await retrying { try await writer.buildIndexes() }
            try await waitForAll(in: store)
            let titles = UniqueRun.titles(of: process)
            let half = titles.count / 2
            for title in titles[..<half] { try await save(title, in: writer) }
            if process == UniqueRun.rawProcess {
                try await retrying {
                    try await store.write {
                        try $0.put(["title": .string(UniqueRun.rawTitle)], for: UniqueRun.key("raw"))
                    }
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for title in titles[half...] {
                    group.addTask(executorPreference: globalConcurrentExecutor) { try await save(title, in: writer) }
                }
                try await group.waitForAll()
            }
            await store.close()
        }
    }

    private func save(_ title: String, in store: SchemaStore) async throws {
        let record: Record = ["title": .string(title), "n": .integer(Int64(process))]
        do {
            try await retrying {
                try await store.write { try $0.put(record, for: UniqueRun.key("\(title) of \(process)")) }
            }
            Output.line("won \(title)")
        } catch let error as DataStoreError where error.code == .notUnique {
            Output.line("lost \(title)")
        } catch let error as DataStoreError {
            Output.line("failed \(title) \(error.code) \(error.reason)")
        }
    }

    /// Registers this process in the store, and waits until all others have opened it.
    private func waitForAll(in store: any DataStore) async throws {
        let key = try Key(collection: "processes", id: "\(process)")
        try await retrying { try await store.write { try $0.put([:], for: key) } }
        for _ in 0..<6000 {
            let count = try await store.read { try $0.records(in: Scan("processes")).count }
            if count == UniqueRun.processCount { return }
            CurrentProcess.sleep(milliseconds: 10)
        }
        throw Arguments.Problem(description: "the other processes have not started")
    }

    /// Repeats an operation while other processes hold the lock for too long, as on a busy disk. In that case nothing
    /// was changed.
    private func retrying(_ body: () async throws -> Void) async throws {
        while true {
            do {
                return try await body()
            } catch let error as DataStoreError where error.code == .busy {
                continue
            }
        }
    }
}
