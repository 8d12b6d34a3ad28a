import Synchronization
import SystemPackage

/// Threads for work that must stay on one thread or blocks in the operating system. Neither actors nor dispatch queues
/// keep work on one thread, and the threads of the cooperative pool must not block.
package enum Thread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs a closure on a new thread.
    ///
    /// The thread blocks all signals except fault signals such as `SIGSEGV`, so the program's own threads handle
    /// signals. A write beyond the file size limit returns an error and does not terminate the process.
    ///
    /// - Returns: 0, or the error number if no thread can be started.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        // The pointer carries one retain. The new thread consumes it; if no thread starts, it is released here.
        let work = unsafe Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = blockingAllSignals {
            unsafe pthread_create(
                &thread, nil,
                { context in
                    // The argument is optional on Linux only.
                    let context: UnsafeMutableRawPointer? = unsafe context
                    if let context = unsafe context {
                        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                    }
                    return nil
                }, work.toOpaque())
        }
        guard code == 0 else {
            unsafe work.release()
            return code
        }
        #if canImport(Darwin)
        if let thread { unsafe pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
        return 0
    }

    /// Runs a closure on a new thread, like ``start(_:)``.
    ///
    /// - Parameters:
    ///   - operation: What the thread is for, for the error, e.g. "start a reader thread".
    ///   - path: The path of the store, for the error.
    ///   - body: The closure.
    /// - Throws: `DataStoreError` with the code `full` if no thread can be started.
    package static func start(
        _ operation: String, path: String? = nil, _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) {
        let code = start(body)
        guard code == 0 else {
            throw DataStoreError(
                .full, "the process cannot start another thread; end some or raise the limit (ulimit -u)",
                operation: operation, path: path, errno: code, underlying: Errno(rawValue: code))
        }
    }

    /// The identifier of the current thread: a number that no other running thread has.
    package static var current: UInt {
        #if canImport(Darwin)
        // The pointer only serves as a number.
        unsafe UInt(bitPattern: pthread_self())
        #else
        UInt(pthread_self())
        #endif
    }

    /// Yields the processor to other threads.
    package static func yield() { sched_yield() }

    /// Suspends the current thread for a number of milliseconds.
    package static func sleep(milliseconds: Int) {
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        unsafe nanosleep(&time, nil)
    }

    /// Runs a closure on a new thread and waits for its result, so that long work does not block a thread of the
    /// cooperative pool. The closure receives a ``Cancellation``, with which it can check whether the calling task was
    /// cancelled.
    ///
    /// - Throws: The error of the closure, `CancellationError` if the task was cancelled before the closure ran, or
    ///   `DataStoreError` if no thread can be started.
    package static func run<Result: Sendable>(
        _ body: @escaping @Sendable (Cancellation) throws -> Result
    ) async throws -> Result {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                do throws(DataStoreError) {
                    try start("start a thread") {
                        continuation.resume(
                            with: Swift.Result {
                                try cancellation.check()
                                return try body(cancellation)
                            })
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    // These functions change the signal mask of the current thread.
    //
    // Each `unsafe` expression passes a signal set to a system call, which accesses it only until the call returns.

    /// Runs a closure while this thread blocks all signals except fault signals such as `SIGSEGV`.
    private static func blockingAllSignals<Result>(_ body: () -> Result) -> Result {
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

/// A flag that passes the cancellation of a task to the thread for which the task waits.
package final class Cancellation: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package var isCancelled: Bool { flag.load(ordering: .relaxed) }

    package func cancel() { flag.store(true, ordering: .relaxed) }

    package func check() throws(CancellationError) { if isCancelled { throw CancellationError() } }
}
