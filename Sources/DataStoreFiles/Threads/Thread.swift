#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The thread that runs.
package enum Thread {
    /// Which thread this is: a number that no other running thread has.
    @inlinable
    package static var current: UInt {
        #if canImport(Darwin)
        // A pointer as its address.
        unsafe UInt(bitPattern: pthread_self())
        #else
        UInt(pthread_self())
        #endif
    }

    /// Lets other threads run.
    package static func yield() { sched_yield() }

    /// Does nothing for a while.
    package static func sleep(milliseconds: Int) {
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        unsafe nanosleep(&time, nil)
    }
}
