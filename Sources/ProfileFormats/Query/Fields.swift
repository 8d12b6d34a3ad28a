import UserProfileDomain

/// A field that conditions and sorts can name on the command line.
protocol CommandField: Sendable {
    /// The name on the command line.
    var rawValue: String { get }

    /// The name of the entity's field.
    var name: String { get }

    /// The name of a value of the field in messages, e.g. `a mail address`.
    var valueName: String { get }

    /// Whether conditions can compare the field with `<`, `<=`, `>`, `>=` and `between`.
    var hasOrder: Bool { get }

    /// Whether conditions can compare the field with `begins` and `contains`.
    var hasText: Bool { get }

    /// Parses a value of the field.
    ///
    /// - Parameter text: The value as it was typed.
    /// - Returns: The value in the form that queries compare.
    /// - Throws: `ValidationError` if the text is not a valid value.
    func operand(_ text: String) throws(ValidationError) -> Operand
}

extension CommandField {
    var hasOrder: Bool { true }
}

/// The fields of an entity that conditions and sorts can name.
package struct FieldSet: Sendable {
    /// The parts of an entity, e.g. the days of a city's weather. A condition on a single part is written in
    /// parentheses after ``word``, e.g. `day (weather contains 雪)`.
    struct Parts: Sendable {
        let word: String
        /// The name of the entity's field that contains the parts.
        let name: String
        let fields: [any CommandField]
    }

    let fields: [any CommandField]
    var parts: Parts?

    /// The fields of users.
    package static let users = FieldSet(fields: UserField.allCases)

    /// The fields of a city's weather, and of its days.
    package static let weather = FieldSet(
        fields: WeatherField.allCases,
        parts: Parts(word: "day", name: Weather.fields.forecasts.name, fields: ForecastField.allCases))

    /// The names of the fields by which entities can be sorted.
    package var sortNames: [String] { fields.map(\.rawValue) }

    /// The field names and keywords that a condition can contain.
    package var words: [String] {
        sortNames + (parts.map { [$0.word] + $0.fields.map(\.rawValue) } ?? [])
            + ["and", "or", "not", "exists", "contains", "begins", "between", "in"]
    }

    /// The names of the fields and of the parts, as error messages list them.
    var names: String { (fields.map(\.rawValue) + (parts.map { ["\($0.word) (…)"] } ?? [])).joined(separator: ", ") }
}

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

/// A field of a city's weather that conditions and sorts can name on the command line.
enum WeatherField: String, CaseIterable, CommandField {
    case city, title, published, description

    var name: String {
        switch self {
        case .city: Weather.fields.id.name
        case .title: Weather.fields.title.name
        case .published: Weather.fields.publishedAt.name
        case .description: Weather.fields.description.name
        }
    }

    var valueName: String {
        switch self {
        case .city: "a city code or name"
        case .title, .description: "a text"
        case .published: "a point in time (2026-11-21T17:00:00Z)"
        }
    }

    var hasText: Bool { self != .published }

    func operand(_ text: String) throws(ValidationError) -> Operand {
        switch self {
        case .city: try CityCode(codeOrName: text).operand
        case .title, .description: text.operand
        case .published: try Instant(text).operand
        }
    }
}

/// A field of a daily forecast that conditions can name on the command line.
enum ForecastField: String, CaseIterable, CommandField {
    case date, weather, lowest, highest

    var name: String {
        switch self {
        case .date: Forecast.fields.date.name
        case .weather: Forecast.fields.telop.name
        case .lowest: Forecast.fields.lowest.name
        case .highest: Forecast.fields.highest.name
        }
    }

    var valueName: String {
        switch self {
        case .date: "a date (yyyy-MM-dd)"
        case .weather: "a text"
        case .lowest, .highest: "a temperature in °C"
        }
    }

    var hasText: Bool { self == .weather }

    func operand(_ text: String) throws(ValidationError) -> Operand {
        switch self {
        case .date: try CalendarDate(text).operand
        case .weather: text.operand
        case .lowest, .highest: try Temperature(celsius: text).operand
        }
    }
}
