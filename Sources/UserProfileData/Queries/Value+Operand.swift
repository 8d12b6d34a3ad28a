package import DataStoreCore
package import UserProfileDomain

extension Value {
    /// Creates the stored value that corresponds to an operand of a query.
    init(_ operand: Operand) {
        self =
            switch operand {
            case .text(let text): .string(text)
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            case .bool(let flag): .bool(flag)
            case .instant(let instant): .date(Timestamp(instant))
            }
    }

    /// The operand that corresponds to the value. It is `nil` for data, arrays and records, which queries cannot
    /// compare.
    var operand: Operand? {
        switch self {
        case .string(let text): .text(text)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .bool(let flag): .bool(flag)
        case .date(let date): .instant(Instant(seconds: date.seconds, nanoseconds: date.nanoseconds))
        case .data, .array, .record: nil
        }
    }
}

extension Timestamp {
    /// Creates the timestamp of the point in time that an `Instant` represents.
    package init(_ instant: Instant) {
        self =
            Timestamp(seconds: instant.seconds, nanoseconds: instant.nanoseconds) ?? Timestamp(seconds: instant.seconds)
    }
}
