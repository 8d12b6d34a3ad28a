import DataStoreCore
import DataStoreLMDB

/// `hold WHAT PATH`: keeps a store open (`store`), or holds a read (`read`) or a write (`write`), until there is input
/// or its input ends.
///
/// Writes `holding`, and at the end the number of records that the read has seen.
struct HoldCommand {
    private let what: String
    private let path: String

    init(_ arguments: inout Arguments) throws {
        what = try arguments.text("what")
        path = try arguments.text("path")
    }

    func run() throws {
        let store = try LMDBDataStore(path: path)
        switch what {
        case "read":
            let count = try store.read { transaction in
                // The snapshot exists. Nothing is read from it before the records have been overwritten.
                Output.line("holding")
                CurrentProcess.waitForInput()
                return try transaction.records(in: Scan("c")).count
            }
            Output.line("read \(count)")
        case "write":
            try CurrentThreadExecutor.run {
                try await store.write { transaction in
                    try transaction.put(Record(), for: Key(collection: "c", id: "held"))
                    Output.line("holding")
                    CurrentProcess.waitForInput()
                }
            }
        default:
            Output.line("holding")
            CurrentProcess.waitForInput()
        }
        try CurrentThreadExecutor.run { await store.close() }
    }
}
