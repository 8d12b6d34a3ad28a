import DataStoreCore
import DataStoreLMDB
import Synchronization

/// `open BUSY OTHER`: opens the store BUSY, whose lock another process holds, on a separate thread, and in the meantime
/// opens the store OTHER and forks.
///
/// Writes `other`, `forked` and finally the result of opening BUSY: `busy CODE`.
struct OpenCommand {
    private final class Result: Sendable {
        let code = Mutex<String?>(nil)
    }

    private let busy: String
    private let other: String

    init(_ arguments: inout Arguments) throws {
        busy = try arguments.text("busy")
        other = try arguments.text("other")
    }

    func run() throws {
        let result = Result()
        try CurrentThreadExecutor.run { [busy, other] in
            let opening = Task.detached { await Self.open(busy, result) }
            // By now the other thread waits for the lock.
            CurrentProcess.sleep(milliseconds: 300)
            let store = try LMDBDataStore(path: other)
            try await store.write { try $0.put(Record(), for: Key(collection: "c", id: "a")) }
            if result.code.withLock({ $0 == nil }) { Output.line("other") }
            let child = CurrentProcess.fork()
            if child == 0 { CurrentProcess.exitAfterFork(0) }
            _ = CurrentProcess.wait(for: child)
            if result.code.withLock({ $0 == nil }) { Output.line("forked") }
            await store.close()
            await opening.value
            Output.line("busy \(result.code.withLock { $0 ?? "opened" })")
        }
    }

    private static func open(_ path: String, _ result: Result) async {
        do {
            let store = try LMDBDataStore(path: path, options: LMDBDataStore.Options(lockTimeout: .seconds(2)))
            await store.close()
        } catch {
            result.code.withLock { $0 = "\(error.code)" }
        }
    }
}
