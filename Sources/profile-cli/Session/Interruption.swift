import Dispatch
import Foundation
import Synchronization

/// Ctrl-C, and what else asks the program to end.
///
/// Most commands just end. One that has something to put in order first calls ``arm()``: then its task is cancelled, and the
/// program ends by the signal when it is done, so that a shell that runs it in a loop ends, too. A second signal ends it at
/// once; whatever it was doing, a store stays whole.
enum Interruption {
    /// What keeps the sources of signals.
    ///
    /// - Safety: `@unchecked Sendable` because a source is only kept: nobody touches it after it was made.
    private struct Watch: @unchecked Sendable {
        let source: any DispatchSourceSignal
    }

    private struct State {
        var task: Task<Void, Never>?
        var watches: [Watch] = []
        var signal: Int32?
    }

    private static let state = Mutex(State())
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Runs the program.
    static func run(_ body: @escaping @Sendable () async -> Void) async {
        // Who writes to a pipe that nobody reads is told by the call, and can put things in order.
        _ = signal(SIGPIPE, SIG_IGN)
        let task = Task { await body() }
        state.withLock { $0.task = task }
        await task.value
    }

    /// Has signals cancel the task of the command from now on.
    static func arm() {
        let watches = signals.map { number in
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                // The next one ends the program.
                for number in signals { _ = signal(number, SIG_DFL) }
                state.withLock { state in
                    state.signal = number
                    state.task?.cancel()
                }
            }
            source.resume()
            return Watch(source: source)
        }
        state.withLock { $0.watches = watches }
    }

    /// Whether a signal has come.
    static var hasCome: Bool { state.withLock { $0.signal != nil } }

    /// Ends the program by the signal that has come, where one has.
    static func endIfInterrupted() {
        guard let number = state.withLock(\.signal) else { return }
        _ = signal(number, SIG_DFL)
        // The threads of Dispatch take no signals unless they are asked to.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }
}
