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
