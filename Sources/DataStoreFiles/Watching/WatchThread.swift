import Synchronization

/// The thread that serves all watches of the process. It runs while at least one watch exists and uses at most three
/// descriptors: an inotify instance, of which each user has a small number, and the two of a bell.
final class WatchThread: Sendable {
    static let shared = WatchThread()

    private struct State {
        var watched: [ObjectIdentifier: Watched] = [:]
        var isRunning = false
        var bell: Bell?
    }

    private let state = Mutex(State())

    func add(_ watched: Watched) throws(FileWatch.NoThread) {
        try state.withLock { state throws(FileWatch.NoThread) in
            if !state.isRunning {
                let code = Thread.start { [self] in run() }
                guard code == 0 else { throw FileWatch.NoThread(code: code) }
                state.isRunning = true
            }
            state.watched[ObjectIdentifier(watched)] = watched
            state.bell?.ring()
        }
    }

    func remove(_ watched: Watched) {
        state.withLock { state in
            state.watched[ObjectIdentifier(watched)] = nil
            state.bell?.ring()
        }
    }

    private func run() {
        let bell = Bell()
        state.withLock { $0.bell = bell }
        var round = WatchRound()
        while let watched = current() {
            round.update(watched)
            Bell.wait(
                for: bell, or: round.descriptor,
                // Without a bell, new and ended watches are only noticed after the wait.
                atMost: bell == nil ? min(round.patience, Int32(WatchRound.quickPace)) : round.patience)
            round.lookAround()
        }
    }

    /// Returns the current watches, or `nil` if no watch exists and the thread ends.
    private func current() -> [ObjectIdentifier: Watched]? {
        state.withLock { state in
            if !state.watched.isEmpty { return state.watched }
            state.isRunning = false
            state.bell = nil
            return nil
        }
    }
}
