import DataStoreSystem

extension Instant {
    /// The number of seconds by which local time is ahead of UTC at this instant.
    ///
    /// The environment variable `TZ` sets the time zone. Without it, the system's time zone is used.
    public var localUTCOffset: Int {
        var time = time_t(clamping: seconds)
        var local = unsafe tm()
        // `localtime_r` reads the time and fills the structure before it returns.
        tzset()
        return unsafe localtime_r(&time, &local) == nil ? 0 : unsafe local.tm_gmtoff
    }
}
