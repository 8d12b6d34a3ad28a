package import DataStoreCore
import UserProfileData
public import UserProfileDomain

extension Instant: RecordValueConvertible {
    /// The point in time as a date.
    package var recordValue: Value? { .date(Timestamp(self)) }

    /// Creates the point in time of a date.
    package init?(recordValue: Value) {
        guard let date = recordValue.date else { return nil }
        self.init(seconds: date.seconds, nanoseconds: date.nanoseconds)
    }
}
