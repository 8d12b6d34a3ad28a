extension Instant {
    /// Returns the time from another instant to this one, negative if this instant is earlier.
    public func duration(since other: Instant) -> Duration {
        let nanosecond: Int64 = 1_000_000_000
        return Duration(
            secondsComponent: seconds, attosecondsComponent: Int64(nanoseconds) * nanosecond)
            - Duration(secondsComponent: other.seconds, attosecondsComponent: Int64(other.nanoseconds) * nanosecond)
    }

    /// Returns the instant that is a duration later, or earlier if the duration is negative. On overflow it returns the
    /// first or the last representable second.
    package func advanced(by duration: Duration) -> Instant {
        let (whole, attoseconds) = duration.components
        let sum = Int64(nanoseconds) + attoseconds / 1_000_000_000
        let (carry, rest) = sum.flooredDivision(by: 1_000_000_000)
        let (total, isBeyond) = seconds.addingReportingOverflow(whole &+ carry)
        return isBeyond ? Instant(seconds: whole < 0 ? .min : .max) : Instant(seconds: total, nanoseconds: UInt32(rest))
    }
}
