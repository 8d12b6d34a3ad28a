extension Instant {
    /// Returns the time from another instant to this instant. It is negative if this instant is earlier.
    ///
    /// If the number of seconds exceeds the range of `Int64`, the result is `Int64.max` or `Int64.min` seconds.
    public func duration(since other: Instant) -> Duration {
        let (difference, isBeyond) = seconds.subtractingReportingOverflow(other.seconds)
        guard !isBeyond else { return .seconds(seconds < other.seconds ? Int64.min : .max) }
        let rest = Int64(nanoseconds) - Int64(other.nanoseconds)
        // A fraction of a second before `Int64.min` seconds is out of range, too.
        guard difference != .min || rest >= 0 else { return .seconds(Int64.min) }
        return .seconds(difference) + .nanoseconds(rest)
    }

    /// Returns this instant plus a duration, which may be negative. On overflow, the result is the first or the last
    /// representable second.
    package func advanced(by duration: Duration) -> Instant {
        let (whole, attoseconds) = duration.components
        let sum = Int64(nanoseconds) + attoseconds / 1_000_000_000
        let (carry, rest) = sum.flooredDivision(by: 1_000_000_000)
        let (sumOfSeconds, isBeyond) = seconds.addingReportingOverflow(whole)
        let (total, isCarriedBeyond) = sumOfSeconds.addingReportingOverflow(carry)
        guard !isBeyond, !isCarriedBeyond else { return Instant(seconds: whole < 0 ? .min : .max) }
        return Instant(seconds: total, nanoseconds: UInt32(rest))
    }
}
