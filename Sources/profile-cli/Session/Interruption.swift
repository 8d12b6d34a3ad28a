import Foundation
import Synchronization

/// Ctrl-C, and what else asks the program to end.
///
/// Most commands just end. One that has something to put in order first calls ``arm()``: then its task is cancelled, and the
/// program ends by the signal when it is done, so that a shell that runs it in a loop ends, too. A second signal ends it at
/// once; whatever it was doing, a store stays whole.
enum Interruption {
    /// What the handler of signals writes to.
    ///
    /// - Safety: `@unchecked Sendable` because it is only kept: nobody touches it after it was made.
    private struct Bell: @unchecked Sendable {
        let pipe: Pipe
    }

    private struct State {
        var task: Task<Void, Never>?
        var bell: Bell?
        var signal: Int32?
    }

    private static let state = Mutex(State())
    /// The descriptor that the handler writes to.
    private static let bell = Atomic<Int32>(-1)
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
        // Not by sources of Dispatch: those see no signal that the main thread ignores or takes.
        let pipe = Pipe()
        pipe.fileHandleForReading.readabilityHandler = { handle in
            guard let number = handle.availableData.first.map(Int32.init) else { return }
            // The next one ends the program.
            for number in signals { _ = signal(number, SIG_DFL) }
            state.withLock { state in
                state.signal = number
                state.task?.cancel()
            }
        }
        state.withLock { $0.bell = Bell(pipe: pipe) }
        bell.store(pipe.fileHandleForWriting.fileDescriptor, ordering: .sequentiallyConsistent)
        for number in signals {
            // A handler may do next to nothing but write(2).
            _ = signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = unsafe write(Interruption.bell.load(ordering: .sequentiallyConsistent), &byte, 1)
            }
        }
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
