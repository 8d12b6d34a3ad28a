import Synchronization

/// Runs closures in order, on a thread that exists only while there is work.
package final class WorkThread: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let state = Mutex(State())

    /// Creates an idle thread.
    package init() {}

    /// Runs a closure after those that were passed before. If no thread can be started, it runs on this one.
    package func run(_ body: @escaping @Sendable () -> Void) {
        let startsThread = state.withLock { state in
            state.waiting.append(body)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if startsThread, Thread.start({ self.drain() }) != 0 { SignalMask.withoutFileSizeSignal { drain() } }
    }

    private func drain() {
        while let body = next() { body() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.isRunning = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
