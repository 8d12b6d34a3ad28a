/// A point in time with nanosecond precision: the time since 1970-01-01T00:00:00Z, without leap seconds.
public struct Timestamp: Hashable, Sendable {
    /// The whole seconds since 1970-01-01T00:00:00Z. The number is negative for earlier times.
    public let seconds: Int64

    /// The nanoseconds after the whole second, 0 to 999,999,999.
    public let nanoseconds: UInt32

    /// Creates a point in time. Returns `nil` if `nanoseconds` is 1,000,000,000 or more.
    public init?(seconds: Int64, nanoseconds: UInt32) {
        guard nanoseconds < 1_000_000_000 else { return nil }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// Creates a point in time at a whole second since 1970-01-01T00:00:00Z.
    public init(seconds: Int64) {
        self.seconds = seconds
        self.nanoseconds = 0
    }
}

extension Timestamp: Comparable {
    /// Returns whether the left point in time is earlier.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}
