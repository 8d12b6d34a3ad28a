#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Timestamp {
    /// The current time of the system's clock.
    public static var now: Timestamp {
        var time = timespec()
        // The call fails only for an unknown clock.
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: UInt32(time.tv_nsec))
            ?? Timestamp(seconds: Int64(time.tv_sec))
    }
}
