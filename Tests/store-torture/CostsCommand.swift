import DataStoreCore
import TortureKit

/// `costs PATH`: lists the open descriptors and the threads of this process before a store is observed, during the
/// observation, after it, and after the store was closed during an observation.
///
/// Writes `open WHEN NAME…` and `threads WHEN N`, the number of additional threads.
struct CostsCommand {
    private let location: StoreLocation

    init(_ arguments: inout Arguments) throws { location = try arguments.location() }

    func run() throws {
        let store = try location.open()
        try CurrentThreadExecutor.run {
            let key = try WatchRun.key()
            try await store.write { try $0.put(["n": .integer(1)], for: key) }
            let before = CurrentProcess.threads()
            func report(_ time: String) {
                Output.line("open \(time) \(CurrentProcess.openDescriptors().joined(separator: " "))")
                Output.line("threads \(time) \(CurrentProcess.threads().subtracting(before).count)")
            }
            report("before")
            do {
                var states = store.updates(of: key).makeAsyncIterator()
                var others = store.updates(in: try Scan("watched")).makeAsyncIterator()
                _ = (try await states.next(), try await others.next())
                Self.wait { !CurrentProcess.threads().isSubset(of: before) }
                report("meanwhile")
                withExtendedLifetime((states, others)) {}
            }
            Self.wait { CurrentProcess.threads().isSubset(of: before) }
            report("afterwards")
            var states = store.updates(of: key).makeAsyncIterator()
            _ = try await states.next()
            Self.wait { !CurrentProcess.threads().isSubset(of: before) }
            report("again")
            await store.close()
            Self.wait { CurrentProcess.threads().isSubset(of: before) }
            report("closed")
            withExtendedLifetime(states) {}
        }
    }

    /// Waits, with a time limit, until another thread has reached a state.
    private static func wait(until condition: () -> Bool) {
        for _ in 0..<3000 where !condition() { CurrentProcess.sleep(milliseconds: 10) }
    }
}
