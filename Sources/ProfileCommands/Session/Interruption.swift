import ArgumentParser
import DataStoreSystem
import Synchronization

/// The handling of Ctrl-C and of other signals that terminate the program.
///
/// By default, a signal terminates the program at once. A command that must clean up calls ``install()`` first. A
/// signal then cancels the task of the command. When the command has finished, the program terminates by the same
/// signal, so a shell loop around the program stops, too. If the command cannot finish because the reader of a pipe
/// does not read, the program terminates by the signal without waiting. A second signal terminates the program at once.
/// A store remains consistent in every case.
enum Interruption {
    private struct State {
        var task: Task<Never, Never>?
        /// The first signal that has arrived, or `SIGPIPE` if the reader of standard output has closed the pipe.
        var signal: Int32?
    }

    private static let state = Mutex(State())
    /// The numbers of calls of ``awaitingReader(_:)`` that have begun and ended.
    private static let begunWaits = Atomic(0)
    private static let endedWaits = Atomic(0)
    /// The write end of a pipe, or -1 before ``install()``. The signal handler writes to the pipe to wake the thread
    /// that cancels the task of the command.
    private static let wakeDescriptor = Atomic<Int32>(-1)
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Runs the program and ends the process.
    ///
    /// The task and its child tasks run on the main thread, or on a second thread while the main thread is busy.
    static func run(_ body: @escaping @Sendable () async -> Never) -> Never {
        // Without the signal, a write to a closed pipe fails with an error, which lets the command clean up.
        _ = signal(SIGPIPE, SIG_IGN)
        // Without the signal, a write beyond the file size limit fails with an error that can be reported.
        _ = signal(SIGXFSZ, SIG_IGN)
        // The signal mask is inherited. The parent may have started this program on a thread that blocks signals, as
        // Dispatch's threads do.
        unblock(signals)
        let executor = ProgramExecutor()
        // The task starts when the executor runs, so a signal always finds the task.
        let task = Task(executorPreference: executor) { await body() }
        state.withLock { $0.task = task }
        executor.run()
    }

    /// Makes signals cancel the task of the command from now on.
    static func install() async {
        // Dispatch sources cannot be used, because they receive no signal that the main thread ignores or handles.
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A signal that the parent process has set to be ignored (nohup, or a shell for a background job) stays
        // ignored.
        let signals = signals.filter { !isIgnored($0) }
        let receiver = ends[0]
        let code = Thread.start {
            var number: UInt8 = 0
            // The call reads at most one byte.
            while unsafe read(receiver, &number, 1) != 1 { if errno != EINTR { return } }
            // A second signal terminates the program.
            for number in signals { _ = signal(number, SIG_DFL) }
            cancel(Int32(number))
            exitIfBlocked()
        }
        guard code == 0 else { return }
        wakeDescriptor.store(ends[1], ordering: .sequentiallyConsistent)
        for number in signals {
            // A signal handler may call only async-signal-safe functions such as write(2).
            _ = signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = unsafe write(Interruption.wakeDescriptor.load(ordering: .sequentiallyConsistent), &byte, 1)
            }
        }
    }

    /// Cancels the task of the command as soon as the reader of standard output closes the pipe. Without this call, the
    /// command would notice the closed pipe only at its next write.
    static func exitOnBrokenPipe() {
        _ = Thread.start {
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            // The call uses the structure only until it returns. For a regular file it never returns, because no event
            // occurs.
            while unsafe poll(&output, 1, -1) < 0 { if errno != EINTR { return } }
            cancel(SIGPIPE)
        }
    }

    private static func cancel(_ signal: Int32) {
        state.withLock { state in
            state.signal = state.signal ?? signal
            state.task?.cancel()
        }
    }

    /// Runs a closure that waits if the reader of a pipe does not read. A signal terminates the program meanwhile.
    static func awaitingReader<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        begunWaits.add(1, ordering: .sequentiallyConsistent)
        defer { endedWaits.add(1, ordering: .sequentiallyConsistent) }
        return try body()
    }

    /// Terminates the program by the signal that arrived as soon as a write makes no progress for a fifth of a second.
    /// Otherwise a write to a full pipe could delay the end of the program, and keep its snapshot, for any time.
    private static func exitIfBlocked() {
        var before = -1
        while true {
            let ended = endedWaits.load(ordering: .sequentiallyConsistent)
            if ended == before, begunWaits.load(ordering: .sequentiallyConsistent) > ended { exitIfInterrupted() }
            before = ended
            usleep(200_000)
        }
    }

    /// Whether a signal has arrived or the reader of standard output has closed the pipe.
    static var hasOccurred: Bool { state.withLock { $0.signal != nil } }

    /// Terminates the program if it was interrupted. It terminates by the signal that arrived, or silently with the
    /// exit code of a broken pipe if the reader of standard output has closed the pipe.
    ///
    /// - Parameter message: A message that a person who interrupted the program should read, or `nil`.
    static func exitIfInterrupted(saying message: String? = nil) {
        guard let number = state.withLock(\.signal) else { return }
        if number == SIGPIPE { exit(128 + SIGPIPE) }
        if let message { Console.note(message) }
        _ = signal(number, SIG_DFL)
        unblock([number])
        raise(number)
    }

    /// Returns whether the process ignores a signal.
    private static func isIgnored(_ number: Int32) -> Bool {
        // signal(2) returns the handler only by replacing it. A signal that arrives in between is lost.
        let handler = signal(number, SIG_IGN)
        _ = signal(number, handler)
        // Function pointers cannot be compared, and SIG_IGN is not the address of a function, so both are compared as
        // integers.
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Unblocks signals on the calling thread.
    private static func unblock(_ numbers: [Int32]) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in numbers { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}

extension Interruption {
    private static let faultMessage: StaticString =
        "profile-cli: a memory fault ended the command; the store may be damaged; run profile-cli store check\n"

    /// Makes a memory fault end the program with a message and the exit code 74.
    ///
    /// Stores verify the data that they read. A fault is still possible if another program truncates or overwrites the
    /// data file while it is in use. It is also possible during writes to a damaged store that is too large to be
    /// checked first.
    static func reportFaults() {
        for number in [SIGSEGV, SIGBUS, SIGABRT] {
            // A signal handler may call only async-signal-safe functions such as write(2).
            _ = signal(number) { _ in
                let message = Interruption.faultMessage
                // The text is static.
                _ = unsafe write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
                _exit(ExitCode.inputOutput.rawValue)
            }
        }
    }
}
