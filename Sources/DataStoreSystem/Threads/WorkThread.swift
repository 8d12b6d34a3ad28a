import Synchronization

/// A serial executor of closures. Its thread exists only while there is work.
package final class WorkThread: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let state = Mutex(State())

    /// Creates an executor without a thread.
    package init() {}

    /// Runs a closure after all closures that were passed earlier. If no thread can be started, the closure runs on
    /// the current thread.
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
