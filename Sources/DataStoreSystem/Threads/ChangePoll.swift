/// A repeated check for changes that other processes make, twenty times a second. It ends when it is released.
///
/// All checks of the process run on one thread, which exists only while there are checks. Twenty short checks take
/// about 2 ms of processor time. Events of the operating system (inotify) would report a change some 25 ms earlier and
/// take a third of this time, but they can be early or lost, so that checks would be needed anyway.
package final class ChangePoll: Sendable {
    private static let state = Monitor((checks: [ObjectIdentifier: @Sendable () -> Void](), isRunning: false))

    /// Starts to call a closure repeatedly.
    ///
    /// - Parameters:
    ///   - path: The path of the store, for the error.
    ///   - check: The closure. The thread retains it and not this object, because releasing this object ends the calls.
    /// - Throws: `DataStoreError` with the code `full` if no thread can be started.
    package init(of path: String, _ check: @escaping @Sendable () -> Void) throws(DataStoreError) {
        try Self.state.withLock { state throws(DataStoreError) in
            if !state.isRunning {
                try Thread.start("observe the store", path: path) { Self.run() }
                state.isRunning = true
            }
            state.checks[ObjectIdentifier(self)] = check
        }
    }

    deinit {
        // The closure is released after the lock, because this may release an object that ends another poll.
        let check = Self.state.withLock { $0.checks.removeValue(forKey: ObjectIdentifier(self)) }
        withExtendedLifetime(check) {}
    }

    private static func run() {
        while true {
            let checks = state.withLock { state in
                state.isRunning = !state.checks.isEmpty
                return state.checks.values
            }
            if checks.isEmpty { return }
            for check in checks { check() }
            Thread.sleep(milliseconds: 50)
        }
    }
}
