#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Threads of the stores, for work that must stay on one thread or blocks in the operating system: neither actors nor
/// dispatch queues pin a thread, and the few threads that all tasks share must not block.
package enum Thread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs a closure on a new thread. Signals are blocked on it: the program's own threads handle them, and a write
    /// beyond a limit of the file size is reported as an error and does not end the program.
    ///
    /// - Returns: 0, or the error number if no thread can be started.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        // One retain travels with the pointer. The thread consumes it, or it is released here if there is no thread.
        let work = unsafe Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = SignalMask.blockingAll { unsafe pthread_create(&thread, nil, threadMain, work.toOpaque()) }
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

    #if canImport(Darwin)
    private static let threadMain: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { context in
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
    }
    #else
    private static let threadMain: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context = unsafe context { unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
        return nil
    }
    #endif

    /// The identity of the current thread: a number that no other running thread has.
    package static var current: UInt {
        #if canImport(Darwin)
        // The address as a number.
        unsafe UInt(bitPattern: pthread_self())
        #else
        UInt(pthread_self())
        #endif
    }

    /// Lets other threads run.
    package static func yield() { sched_yield() }

    /// Suspends the current thread.
    package static func sleep(milliseconds: Int) {
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        unsafe nanosleep(&time, nil)
    }
}
