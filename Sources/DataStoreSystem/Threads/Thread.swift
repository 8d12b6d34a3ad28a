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
}
