import UserProfileDomain

/// A field of users that conditions and sorts can name on the command line.
enum UserField: String, CaseIterable {
    case id, mail, birthday, day

    /// The name of the entity's field.
    var name: String {
        switch self {
        case .id: User.fields.id.name
        case .mail: User.fields.mailAddress.name
        case .birthday: User.fields.birthday.name
        case .day: User.fields.monthDay.name
        }
    }

    /// The placeholder for a value of the field in messages.
    var valueName: String {
        switch self {
        case .id: "a user id"
        case .mail: "a mail address"
        case .birthday: "a date (yyyy-MM-dd)"
        case .day: "a month and day, MM-dd,"
        }
    }

    /// Whether values of the field are ordered.
    var hasOrder: Bool { self != .mail }

    /// Whether values of the field support `begins` and `contains`.
    var hasText: Bool { self == .id || self == .mail }

    /// Parses a value of the field.
    ///
    /// - Parameter text: The value as it was typed.
    /// - Returns: The value in the form that queries compare.
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
