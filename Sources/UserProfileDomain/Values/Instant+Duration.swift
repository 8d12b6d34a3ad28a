extension Instant {
    /// How long after another point in time this one is; negative before it.
    public func duration(since other: Instant) -> Duration {
        let nanosecond: Int64 = 1_000_000_000
        return Duration(
            secondsComponent: seconds, attosecondsComponent: Int64(nanoseconds) * nanosecond)
            - Duration(secondsComponent: other.seconds, attosecondsComponent: Int64(other.nanoseconds) * nanosecond)
    }

    /// The point in time that is so much later, or earlier where the duration is negative. It ends at the last second
    /// that there is a number for.
    package func advanced(by duration: Duration) -> Instant {
        let (whole, attoseconds) = duration.components
        let sum = Int64(nanoseconds) + attoseconds / 1_000_000_000
        let (carry, rest) = sum.flooredDivision(by: 1_000_000_000)
        let (total, isBeyond) = seconds.addingReportingOverflow(whole &+ carry)
        return isBeyond ? Instant(seconds: whole < 0 ? .min : .max) : Instant(seconds: total, nanoseconds: UInt32(rest))
    }
}
