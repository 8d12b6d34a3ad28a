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
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &old)
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
