public import DataStoreCore
public import Foundation
public import UserProfileData
public import UserProfileDomain

extension Date: RecordValueConvertible {
    /// The point in time as a date of nanoseconds, which are finer than what a `Date` of today has. Nil where they are not (for
    /// half a year around the start of 2001), and for what is no time: then the seconds since the start of 2001 are kept, exactly.
    public var recordValue: Value? {
        guard let timestamp = nearestTimestamp, Date(timestamp) == self else { return nil }
        return .date(timestamp)
    }

    /// The point in time of a date, as exact as a `Date` is.
    public init?(recordValue: Value) {
        guard let timestamp = recordValue.date else { return nil }
        self.init(timestamp)
    }

    /// The same point in time, as exact as a `Date` is.
    ///
    /// - Parameter instant: the point in time.
    public init(_ instant: Instant) {
        self.init(seconds: instant.seconds, nanoseconds: instant.nanoseconds)
    }

    private init(_ timestamp: Timestamp) {
        self.init(seconds: timestamp.seconds, nanoseconds: timestamp.nanoseconds)
    }

    private init(seconds: Int64, nanoseconds: UInt32) {
        // The difference of both epochs first: what is near 2001 keeps its digits.
        let whole = seconds.subtractingReportingOverflow(Int64(Date.timeIntervalBetween1970AndReferenceDate))
        let interval = whole.overflow ? Double(seconds) : Double(whole.partialValue)
        self.init(timeIntervalSinceReferenceDate: interval + Double(nanoseconds) / 1e9)
    }

    /// The nearest nanosecond; nil for what is no time, or too far away.
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
    /// The nearest nanosecond. What is no time comes before all.
    public var operand: Operand {
        guard let timestamp = nearestTimestamp else {
            return .instant(Instant(seconds: timeIntervalSinceReferenceDate > 0 ? .max : .min))
        }
        return .instant(Instant(seconds: timestamp.seconds, nanoseconds: timestamp.nanoseconds))
    }
}
