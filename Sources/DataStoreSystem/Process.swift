package import DataStoreCore

/// Clocks of the operating system.
package enum Clock {
    /// The current time of the clock that the kernel uses for file times, in nanoseconds since 1970.
    package static var fileTime: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// The current time of a monotonic clock, in milliseconds since an unspecified time. Reading the clock is cheap,
    /// but the result may lag behind the actual time by a few milliseconds.
    package static var milliseconds: Int64 {
        var time = timespec()
        #if os(Linux)
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        #else
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
    }
}

/// The file descriptors 0 to 2 of the process.
package enum StandardStreams {
    /// Opens `/dev/null` for each standard stream that is closed. Call this function before a store opens a file or a
    /// connection.
    ///
    /// The system gives a new file the lowest free descriptor. If standard output is closed, a file of a store would
    /// become standard output, and the next line that the program prints would overwrite the store. Input is opened for
    /// writing and output for reading, so that their use still fails.
    package static func reserve() throws(DataStoreError) {
        for (stream, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(stream, F_GETFD) == -1 {
            // The streams are reserved in ascending order, so the file has the number of the closed stream, unless
            // another thread has just opened a file.
            let file = unsafe open("/dev/null", mode)
            guard file >= 0 else { throw .systemError("open a file for a closed standard stream", path: "/dev/null") }
            if file != stream { close(file) }
        }
    }
}

/// The limit of the stack size (`ulimit -s`), which applies to the main thread and, with glibc, to new threads.
package enum StackLimit {
    /// The stack size in KiB that suffices for the most deeply nested condition, also in a debug build.
    private static let minimum = 1024

    /// Checks the stack size. With a smaller stack, the process would crash when it reads a deeply nested condition.
    ///
    /// - Throws: `DataStoreError` with the code `full` if the limit is too small.
    package static func check() throws(DataStoreError) {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_STACK.rawValue)
        #else
        let resource = RLIMIT_STACK
        #endif
        var limit = rlimit()
        // The call fills the structure before it returns.
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < minimum << 10 else { return }
        throw DataStoreError(
            .full,
            "the stack limit is \(limit.rlim_cur >> 10) KiB, and at least \(minimum) KiB are needed; "
                + "raise it (ulimit -s \(minimum)) and retry")
    }
}

/// The PID namespace of this process. A process id identifies a process only within its namespace.
package enum PIDNamespace {
    /// The number of the namespace. It is `nil` if the system has no PID namespaces or `/proc` is not mounted.
    package static var current: UInt64? {
        do throws(DataStoreError) {
            return try FileStamp.of(path: "/proc/self/ns/pid")?.status.id.inode
        } catch {
            // The path is a link of the kernel, which a process can always follow for itself.
            return nil
        }
    }
}

/// Functions that change the signal mask of the current thread.
///
/// Each `unsafe` expression passes a signal set to a system call, which accesses it only until the call returns.
package enum SignalMask {
    /// Runs a closure while this thread blocks all signals except fault signals such as `SIGSEGV`.
    static func blockingAll<Result>(_ body: () -> Result) -> Result {
        var blocked = sigset_t()
        var old = sigset_t()
        unsafe sigfillset(&blocked)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] { unsafe sigdelset(&blocked, fault) }
        // The thread may block fault signals itself, as the threads of Dispatch do.
        unsafe pthread_sigmask(SIG_SETMASK, &blocked, &old)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &old, nil) }
        return body()
    }

    /// Runs a closure that writes files. If a write exceeds the file size limit (`RLIMIT_FSIZE`), it fails with
    /// `EFBIG`, and no signal terminates the process.
    package static func withoutFileSizeSignal<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var blocked = sigset_t()
        var old = sigset_t()
        unsafe sigemptyset(&blocked)
        unsafe sigaddset(&blocked, SIGXFSZ)
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &old)
        defer {
            if unsafe sigismember(&old, SIGXFSZ) == 0 { discardPending(&blocked) }
            unsafe pthread_sigmask(SIG_SETMASK, &old, nil)
        }
        return try body()
    }

    /// Discards a pending `SIGXFSZ`, the only signal of the given set. Otherwise the signal would be delivered when the
    /// caller unblocks it.
    private static func discardPending(_ signals: inout sigset_t) {
        #if os(Linux)
        var none = timespec()
        unsafe sigtimedwait(&signals, nil, &none)
        #else
        var pending = sigset_t()
        var number: Int32 = 0
        unsafe sigpending(&pending)
        if unsafe sigismember(&pending, SIGXFSZ) == 1 { unsafe sigwait(&signals, &number) }
        #endif
    }
}
