import DataStoreCore
import TortureKit

/// `saves PATH COUNT`: saves the numbers from 1 to COUNT in order, each durably.
///
/// Writes `saved N` at the end.
struct SavesCommand {
    private let location: StoreLocation
    private let count: Int64

    init(_ arguments: inout Arguments) throws {
        location = try arguments.location()
        count = try arguments.number("number of saves")
    }

    func run() throws {
        let store = try location.open()
        try CurrentThreadExecutor.run { [count] in
            let key = try WatchRun.key()
            for number in 1...count { try await store.write { try $0.put(["n": .integer(number)], for: key) } }
            await store.close()
        }
        Output.line("saved \(count)")
    }
}
