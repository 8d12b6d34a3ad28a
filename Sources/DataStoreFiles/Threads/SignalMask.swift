#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The signals that a thread does not take.
///
/// All `unsafe` here is about sets of signals that a call only reads or fills before it returns.
package enum SignalMask {
    /// Runs a closure with all signals blocked on this thread but those of faults.
    static func blockingAll<Result>(_ body: () -> Result) -> Result {
        var blocked = sigset_t()
        var old = sigset_t()
        unsafe sigfillset(&blocked)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] { unsafe sigdelset(&blocked, fault) }
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &old)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &old, nil) }
        return body()
    }

    /// Runs a closure that writes files on this thread. A write beyond the limit of the file size (`RLIMIT_FSIZE`)
    /// fails with `EFBIG` and does not end the program.
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

    /// Removes a signal that arrived while it was blocked; otherwise it would take effect when it is unblocked.
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
