public import DataStoreCore
import UserProfileData
public import UserProfileDomain

extension Instant: RecordValueConvertible {
    /// The point in time as a date.
    public var recordValue: Value? { .date(Timestamp(self)) }

    /// Creates the point in time of a date.
    public init?(recordValue: Value) {
        guard let date = recordValue.date else { return nil }
        self.init(seconds: date.seconds, nanoseconds: date.nanoseconds)
    }
}
