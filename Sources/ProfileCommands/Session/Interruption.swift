import DataStoreFiles
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ctrl-C, and what else asks the program to end.
///
/// Most commands just end. One that has something to put in order first calls ``arm()``: then its task is cancelled,
/// and the program ends by the signal when it is done, so that a shell that runs it in a loop ends, too. A second
/// signal ends it at once; whatever it was doing, a store stays whole.
enum Interruption {
    private struct State {
        var task: Task<Never, Never>?
        var signal: Int32?
        /// Whether nobody reads what is printed any more.
        var isUnread = false

        /// Whether there is no reason to go on.
        var hasCome: Bool { signal != nil || isUnread }
    }

    private static let state = Mutex(State())
    /// The descriptor that the handler writes to.
    private static let bell = Atomic<Int32>(-1)
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Runs the program, and ends it.
    ///
    /// The task begins on the main thread and stays there until it first waits for something: a command that only reads
    /// ends before a thread is made. What comes after a wait runs on other threads, so the main thread has nothing more
    /// to do.
    static func run(_ body: @escaping @Sendable () async -> Never) -> Never {
        // Who writes to a pipe that nobody reads is told by the call, and can put things in order.
        _ = signal(SIGPIPE, SIG_IGN)
        // A write beyond the limit of the file size fails with an error that can be reported.
        _ = signal(SIGXFSZ, SIG_IGN)
        // Who started it may have been a thread that takes none, as those of Dispatch are.
        take(signals)
        let task =
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                Task.immediate { await body() }
            } else {
                Task { await body() }
            }
        let hasCome = state.withLock { state in
            state.task = task
            return state.hasCome
        }
        if hasCome { task.cancel() }
        while true { pause() }
    }

    /// Has signals cancel the task of the command from now on.
    static func arm() async {
        // Off the main thread, which knows only from then on what there is to cancel.
        await Task.yield()
        // Not by sources of Dispatch: those see no signal that the main thread ignores or takes.
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // What whoever started it has it ignore (nohup, or a shell in the background) stays ignored.
        let signals = signals.filter { !isIgnored($0) }
        let receiver = ends[0]
        let code = Thread.start {
            var number: UInt8 = 0
            // At most the one byte is read.
            while unsafe read(receiver, &number, 1) != 1 { if errno != EINTR { return } }
            // The next one ends the program.
            for number in signals { _ = signal(number, SIG_DFL) }
            state.withLock { state in
                state.signal = Int32(number)
                state.task?.cancel()
            }
        }
        guard code == 0 else { return }
        bell.store(ends[1], ordering: .sequentiallyConsistent)
        for number in signals {
            // A handler may do next to nothing but write(2).
            _ = signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = unsafe write(Interruption.bell.load(ordering: .sequentiallyConsistent), &byte, 1)
            }
        }
    }

    /// Has the end of whoever reads standard output cancel the task of the command, which would else only notice when
    /// it next writes.
    static func endWithReader() {
        _ = Thread.start {
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            // The structure lives as long as the call. Of a file there is nothing to wait for, ever.
            while unsafe poll(&output, 1, -1) < 0 { if errno != EINTR { return } }
            state.withLock { state in
                state.isUnread = true
                state.task?.cancel()
            }
        }
    }

    /// Whether a signal has come, or the reader has gone.
    static var hasCome: Bool { state.withLock(\.hasCome) }

    /// Ends the program by the signal that has come, where one has, and without a word where nobody reads it any more.
    static func endIfInterrupted() {
        let (number, isUnread) = state.withLock { ($0.signal, $0.isUnread) }
        guard let number else {
            if isUnread { exit(128 + SIGPIPE) }
            return
        }
        _ = signal(number, SIG_DFL)
        take([number])
        raise(number)
    }

    /// Whether a signal does nothing.
    private static func isIgnored(_ number: Int32) -> Bool {
        // To ask is to set: for a moment it is ignored, and what comes in that moment has come too early.
        let handler = signal(number, SIG_IGN)
        _ = signal(number, handler)
        // Handlers are addresses of functions, and the one that ignores is none: they are compared as numbers.
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Has this thread take signals.
    private static func take(_ numbers: [Int32]) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in numbers { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}
