package import DataStoreCore
import UserProfileData
public import UserProfileDomain

extension Instant: RecordValueConvertible {
    /// The point in time as the date value of a record.
    package var recordValue: Value? { .date(Timestamp(self)) }

    /// Creates the point in time from a date value. Returns `nil` for a value of another kind.
    package init?(recordValue: Value) {
        guard let date = recordValue.date else { return nil }
        self.init(seconds: date.seconds, nanoseconds: date.nanoseconds)
    }
}
