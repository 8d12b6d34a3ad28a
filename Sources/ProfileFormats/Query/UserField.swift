import UserProfileDomain

/// A field of users that conditions and sorts can name on the command line.
enum UserField: String, CaseIterable, CommandField {
    case id, mail, birthday, day

    var name: String {
        switch self {
        case .id: User.fields.id.name
        case .mail: User.fields.mailAddress.name
        case .birthday: User.fields.birthday.name
        case .day: User.fields.monthDay.name
        }
    }

    var valueName: String {
        switch self {
        case .id: "a user id"
        case .mail: "a mail address"
        case .birthday: "a date (yyyy-MM-dd)"
        case .day: "a month and day, MM-dd,"
        }
    }

    var hasOrder: Bool { self != .mail }

    var hasText: Bool { self == .id || self == .mail }

    func operand(_ text: String) throws(ValidationError) -> Operand {
        switch self {
        case .id: try UserID(stored: text).operand
        case .mail: try MailAddress(text).operand
        case .birthday: try Birthday(text).operand
        case .day: try MonthDay(text).operand
        }
    }
}
