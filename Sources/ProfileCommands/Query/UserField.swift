import UserProfileDomain

/// What can be asked about users on the command line.
enum UserField: String, CaseIterable {
    case id, mail, birthday, day

    /// The name of the entity's field.
    var name: String {
        switch self {
        case .id: User.fields.id.name
        case .mail: User.fields.mailAddress.name
        case .birthday: User.fields.birthday.name
        case .day: User.fields.dayOfYear.name
        }
    }

    /// What stands for a value of the field, as messages say it.
    var valueName: String {
        switch self {
        case .id: "a user id"
        case .mail: "a mail address"
        case .birthday: "a date, yyyy-MM-dd,"
        case .day: "a day of the year, MM-dd,"
        }
    }

    /// Whether values come before and after each other.
    var hasOrder: Bool { self != .mail }

    /// Whether values have a text that begins with another one or contains it.
    var hasText: Bool { self == .id || self == .mail }

    /// A value of the field.
    ///
    /// - Parameter text: the value as it was typed.
    /// - Returns: the value as queries compare it.
    /// - Throws: `ValidationError` where the text is no such value.
    func operand(_ text: String) throws(ValidationError) -> Operand {
        switch self {
        case .id: try UserID(text).operand
        case .mail: try MailAddress(text).operand
        case .birthday: try Birthday(text).operand
        case .day: try MonthAndDay(text).operand
        }
    }
}
