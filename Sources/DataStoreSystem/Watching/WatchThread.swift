import Synchronization

/// The thread that runs all watches of the process, while at least one watch exists.
///
/// It uses at most three descriptors: an inotify instance, of which the system allows each user only a small number,
/// and the two descriptors of a waker.
final class WatchThread: Sendable {
    static let shared = WatchThread()

    private struct State {
        var watched: [ObjectIdentifier: WatchedFiles] = [:]
        var isRunning = false
        var waker: PollWaker?
    }

    private let state = Mutex(State())

    func add(_ watched: WatchedFiles) throws(FileWatch.ThreadStartError) {
        try state.withLock { state throws(FileWatch.ThreadStartError) in
            if !state.isRunning {
                let code = Thread.start { [self] in run() }
                guard code == 0 else { throw FileWatch.ThreadStartError(code: code) }
                state.isRunning = true
            }
            state.watched[ObjectIdentifier(watched)] = watched
            state.waker?.wake()
        }
    }

    func remove(_ watched: WatchedFiles) {
        state.withLock { state in
            state.watched[ObjectIdentifier(watched)] = nil
            state.waker?.wake()
        }
    }

    private func run() {
        let waker = PollWaker()
        state.withLock { $0.waker = waker }
        var schedule = WatchSchedule()
        while let watched = current() {
            schedule.update(watched)
            PollWaker.wait(
                for: waker, or: schedule.descriptor,
                // Without a waker, the thread notices new and ended watches only after the wait.
                atMost: waker == nil ? min(schedule.timeout, Int32(WatchSchedule.fastInterval)) : schedule.timeout)
            schedule.checkDueWatches()
        }
    }

    /// Returns the current watches, or `nil` if no watch exists. In that case, the thread ends.
    private func current() -> [ObjectIdentifier: WatchedFiles]? {
        state.withLock { state in
            if !state.watched.isEmpty { return state.watched }
            state.isRunning = false
            state.waker = nil
            return nil
        }
    }
}
