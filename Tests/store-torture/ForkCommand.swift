import DataStoreCore
import DataStoreLMDB
import TortureKit

/// `fork WHEN PATH`: forks while a store is open, and tries the operations of a store in the child.
///
/// WHEN is `opened` if the store has only been opened, or `written` if it has saved and its writer thread therefore
/// runs. Writes `child WHAT done` or `child WHAT CODE REASON` for `read`, `generation` and `write`, then `child drop
/// done`, and the exit status of the child. Afterwards the parent saves, and holds a read (`holding`) until there is
/// input.
struct ForkCommand {
    private let hasWritten: Bool
    private let path: String

    init(_ arguments: inout Arguments) throws {
        hasWritten = try arguments.text("when") == "written"
        path = try arguments.text("path")
    }

    /// Returns the key of the record that the child tries to save.
    static func childKey() throws -> Key { try Key(collection: "fork", id: "child") }

    /// Returns the key of the record that the parent saves afterwards.
    static func parentKey() throws -> Key { try Key(collection: "fork", id: "parent") }

    func run() throws {
        var store: LMDBDataStore? = try LMDBDataStore(path: path)
        if hasWritten { try save(for: Key(collection: "fork", id: "before"), in: store) }
        // A child that hangs must not make this process hang.
        CurrentProcess.endAfter(seconds: 300)
        let child = CurrentProcess.fork()
        if child == 0 {
            tryAllOperations(&store)
            CurrentProcess.exitAfterFork(0)
        }
        Output.line("child \(CurrentProcess.wait(for: child))")
        try save(for: Self.parentKey(), in: store)
        try store?.read { transaction in
            let before = try transaction.records(in: Scan("c"))
            // Another process now overwrites these records. If the end of the child had released the locks of this
            // process, the pages of this read would be reused.
            Output.line("holding")
            CurrentProcess.waitForInput()
            Output.line("same \(try transaction.records(in: Scan("c")) == before)")
        }
        try save(for: Self.parentKey(), in: store)
        Output.line("saved")
    }

    private func save(for key: Key, in store: LMDBDataStore?) throws {
        try CurrentThreadExecutor.run { try await store?.write { try $0.increment(key) } }
    }

    /// Runs the operations of the child. If no thread handles a write, SIGALRM ends the child.
    private func tryAllOperations(_ store: inout LMDBDataStore?) {
        CurrentProcess.endAfter(seconds: 5)
        report("read") { _ = try store?.read { try $0.records(in: Scan("c")) } }
        report("generation") { _ = try store?.generation() }
        report("write") { try save(for: Self.childKey(), in: store) }
        weak let dropped = store
        store = nil
        Output.line("child drop \(dropped == nil ? "done" : "not done")")
    }

    private func report(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
            Output.line("child \(what) done")
        } catch let error as DataStoreError {
            Output.line("child \(what) \(error.code) \(error.reason)")
        } catch {
            Output.line("child \(what) \(error)")
        }
    }
}
