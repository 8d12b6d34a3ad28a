import UserProfileDomain

/// A field of users that conditions and sorts can name on the command line.
enum UserField: String, CaseIterable {
    case id, mail, birthday, day

    /// The name of the field in `User.Fields`.
    var name: String {
        switch self {
        case .id: User.fields.id.name
        case .mail: User.fields.mailAddress.name
        case .birthday: User.fields.birthday.name
        case .day: User.fields.monthDay.name
        }
    }

    /// A description of the field's values for messages, e.g. `a date (yyyy-MM-dd)`.
    var valueName: String {
        switch self {
        case .id: "a user id"
        case .mail: "a mail address"
        case .birthday: "a date (yyyy-MM-dd)"
        case .day: "a month and day, MM-dd,"
        }
    }

    /// Whether conditions can compare values of the field by order.
    var hasOrder: Bool { self != .mail }

    /// Whether conditions on the field can use `begins` and `contains`.
    var hasText: Bool { self == .id || self == .mail }

    /// Parses a value of the field.
    ///
    /// - Parameter text: The value as the user typed it.
    /// - Returns: The value as an operand of a query.
    /// - Throws: `ValidationError` if the text is not a valid value.
    func operand(_ text: String) throws(ValidationError) -> Operand {
        switch self {
        case .id: try UserID(text).operand
        case .mail: try MailAddress(text).operand
        case .birthday: try Birthday(text).operand
        case .day: try MonthDay(text).operand
        }
    }
}
