#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Starts threads of our own: LMDB ties a write transaction to the thread that began it, and neither actors nor dispatch
/// queues pin one.
enum Thread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Which thread this is: a number that no other running thread has.
    @inline(__always)
    static var current: UInt {
        #if canImport(Darwin)
        // A pointer as its address.
        unsafe UInt(bitPattern: pthread_self())
        #else
        UInt(pthread_self())
        #endif
    }

    /// Lets other threads run.
    static func yield() { sched_yield() }

    /// Does nothing for a while.
    static func sleep(milliseconds: Int) {
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        unsafe nanosleep(&time, nil)
    }

    /// Runs a closure on a new thread.
    ///
    /// - Returns: 0, or the operating system's error number.
    static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        // One retain travels with the pointer: the thread takes it, or it is taken back where there is no thread.
        let work = unsafe Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = unsafe pthread_create(&thread, nil, threadMain, work.toOpaque())
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
}
