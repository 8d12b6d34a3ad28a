#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Date: StoredContent, StoredForm {
    /// The point in time as the date value of a record, or `nil` if a date value cannot represent it exactly.
    ///
    /// A date value has nanosecond precision. A `Date` within about three months of the start of 2001 can be more
    /// precise, and a `Date` can be infinite. Such a `Date` is stored as a real: the number of seconds since the start
    /// of 2001, which is exact.
    public var storedValue: Value? {
        guard let timestamp = nearestTimestamp, Date(timestamp) == self else { return nil }
        return .date(timestamp)
    }

    /// Creates the point in time from a date value, rounded to the precision of `Date`. Returns `nil` for a value of
    /// another kind.
    public init?(storedValue: Value) {
        guard let timestamp = storedValue.date else { return nil }
        self.init(timestamp)
    }

    /// Returns the content of a field, or `nil` if the field is missing or of another kind.
    @inlinable @inline(__always)
    public static func content(of name: String, in record: borrowing RecordView) throws(DataStoreError) -> Date? {
        try record.date(of: FieldName(name)).map { Date($0) }
    }

    init(at position: inout Int, in record: EncodedRecord) throws(StoredForms.Failure) {
        let date = try StoredForms.Failure.store { () throws(DataStoreError) in try record.date(at: &position) }
        guard let date else { throw .mismatch }
        self.init(date)
    }

    /// Creates a date from an `Instant` of the domain, rounded to the precision of `Date`.
    ///
    /// - Parameter instant: The point in time.
    public init(_ instant: Instant) {
        self.init(seconds: instant.seconds, nanoseconds: instant.nanoseconds)
    }

    @usableFromInline
    init(_ timestamp: Timestamp) {
        self.init(seconds: timestamp.seconds, nanoseconds: timestamp.nanoseconds)
    }

    private init(seconds: Int64, nanoseconds: UInt32) {
        // The difference between the epochs is subtracted as an integer first, so that a time near 2001 keeps its
        // fraction.
        let whole = seconds.subtractingReportingOverflow(Int64(Date.timeIntervalBetween1970AndReferenceDate))
        let interval = whole.overflow ? Double(seconds) : Double(whole.partialValue)
        self.init(timeIntervalSinceReferenceDate: interval + Double(nanoseconds) / 1e9)
    }

    /// The point in time rounded to nanoseconds, or `nil` if it is infinite or out of range.
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
    /// The point in time as an operand, rounded to nanoseconds. A date that is infinite or out of range sorts before or
    /// after all other dates.
    public var operand: Operand {
        guard let timestamp = nearestTimestamp else {
            return .instant(Instant(seconds: timeIntervalSinceReferenceDate > 0 ? .max : .min))
        }
        return .instant(Instant(seconds: timestamp.seconds, nanoseconds: timestamp.nanoseconds))
    }

    /// Creates a date from an operand, rounded to the precision of `Date`. Returns `nil` if the operand is not a point
    /// in time.
    public init?(operand: Operand) {
        guard case .instant(let instant) = operand else { return nil }
        self.init(instant)
    }
}
