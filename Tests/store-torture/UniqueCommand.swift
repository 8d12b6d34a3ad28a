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
            try await Rendezvous.retrying { try await writer.buildIndexes() }
            try await Rendezvous.wait(in: store, process, of: UniqueRun.processCount)
            let titles = UniqueRun.titles(of: process)
            let half = titles.count / 2
            for title in titles[..<half] { try await save(title, in: writer) }
            if process == UniqueRun.rawProcess {
                try await Rendezvous.retrying {
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
            try await Rendezvous.retrying {
                try await store.write { try $0.put(record, for: UniqueRun.key("\(title) of \(process)")) }
            }
            Output.line("won \(title)")
        } catch let error as DataStoreError where error.code == .notUnique {
            Output.line("lost \(title)")
        } catch let error as DataStoreError {
            Output.line("failed \(title) \(error.code) \(error.reason)")
        }
    }
}
