import DataStoreCore
import UserProfileData
public import UserProfileDomain

extension Instant: StoredForm {
    /// The point in time as the date value of a record.
    var storedValue: Value? { .date(Timestamp(self)) }

    /// Creates the point in time from a date value. Returns `nil` for a value of another kind.
    init?(storedValue: Value) {
        guard let date = storedValue.date else { return nil }
        self.init(seconds: date.seconds, nanoseconds: date.nanoseconds)
    }
}
