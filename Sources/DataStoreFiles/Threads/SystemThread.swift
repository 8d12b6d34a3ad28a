#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Starts threads of our own, for what must stay on one thread or waits in the operating system: neither actors nor dispatch
/// queues pin one, and the few threads that all tasks share must not wait.
package enum SystemThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs a closure on a new thread.
    ///
    /// - Returns: 0, or the operating system's error number.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
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
