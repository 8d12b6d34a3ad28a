import DataStoreCore
import DataStoreLMDB

/// `hold WHAT PATH`: keeps a store open (`store`), and a read of it under way (`read`), until there is input or an end
/// of it.
///
/// Writes `holding`, and in the end how many records it has read.
struct HoldCommand {
    private let isReading: Bool
    private let path: String

    init(_ arguments: inout Arguments) throws {
        isReading = try arguments.text("what") == "read"
        path = try arguments.text("path")
    }

    func run() throws {
        let store = try LMDBDataStore(path: path)
        if isReading {
            let count = try store.read { transaction in
                // The snapshot is taken; nothing is read before the records were written over.
                Output.line("holding")
                ThisProcess.waitForInput()
                return try transaction.records(in: Scan("c")).count
            }
            Output.line("read \(count)")
        } else {
            Output.line("holding")
            ThisProcess.waitForInput()
        }
        try ThisThread.run { await store.close() }
    }
}
