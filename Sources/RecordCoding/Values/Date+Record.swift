package import DataStoreCore
import UserProfileData
public import UserProfileDomain

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Date: RecordValueConvertible {
    /// The point in time as a date with nanoseconds, which are finer than a `Date` of today.
    ///
    /// The value is `nil` if nanoseconds are not exact (for half a year around the start of 2001), or if the interval
    /// is not finite. Then the seconds since the start of 2001 are stored as a real, which is exact.
    package var recordValue: Value? {
        guard let timestamp = nearestTimestamp, Date(timestamp) == self else { return nil }
        return .date(timestamp)
    }

    /// Creates the point in time of a date, rounded to the precision of a `Date`.
    package init?(recordValue: Value) {
        guard let timestamp = recordValue.date else { return nil }
        self.init(timestamp)
    }

    /// Creates the same point in time, rounded to the precision of a `Date`.
    ///
    /// - Parameter instant: The point in time.
    public init(_ instant: Instant) {
        self.init(seconds: instant.seconds, nanoseconds: instant.nanoseconds)
    }

    private init(_ timestamp: Timestamp) {
        self.init(seconds: timestamp.seconds, nanoseconds: timestamp.nanoseconds)
    }

    private init(seconds: Int64, nanoseconds: UInt32) {
        // Subtracts the epochs as integers first, so that a time near 2001 keeps its fraction.
        let whole = seconds.subtractingReportingOverflow(Int64(Date.timeIntervalBetween1970AndReferenceDate))
        let interval = whole.overflow ? Double(seconds) : Double(whole.partialValue)
        self.init(timeIntervalSinceReferenceDate: interval + Double(nanoseconds) / 1e9)
    }

    /// The nearest nanosecond, or `nil` if the interval is not finite or out of range.
    fileprivate var nearestTimestamp: Timestamp? {
        let interval = timeIntervalSinceReferenceDate
        let floor = interval.rounded(.down)
        guard let whole = Int64(exactly: floor) else { return nil }
        let nanoseconds = UInt32(((interval - floor) * 1e9).rounded())
        let epoch = Int64(Date.timeIntervalBetween1970AndReferenceDate) + Int64(nanoseconds / 1_000_000_000)
        let (seconds, isBeyond) = whole.addingReportingOverflow(epoch)
        return isBeyond ? nil : Timestamp(seconds: seconds, nanoseconds: nanoseconds % 1_000_000_000)
    }
}

extension Date: FieldContent {
    /// The nearest nanosecond. Dates without one are first or last in the order, by their sign.
    public var operand: Operand {
        guard let timestamp = nearestTimestamp else {
            return .instant(Instant(seconds: timeIntervalSinceReferenceDate > 0 ? .max : .min))
        }
        return .instant(Instant(seconds: timestamp.seconds, nanoseconds: timestamp.nanoseconds))
    }
}
