import UserProfileDomain

/// A field that conditions and sorts can name on the command line.
struct CommandField: Sendable {
    /// The name on the command line.
    let word: String

    /// The name of the entity's field.
    let name: String

    /// The name of a value of the field in messages, e.g. `a mail address`.
    let valueName: String

    /// Whether conditions can compare the field with `<`, `<=`, `>`, `>=` and `between`.
    let hasOrder: Bool

    /// Whether conditions can compare the field with `begins`, `ends`, `contains` and `like`.
    let hasText: Bool

    /// Parses a value as it was typed, and returns the form that queries compare.
    let operand: @Sendable (String) throws(ValidationError) -> Operand

    init(
        _ word: String, _ name: String, _ valueName: String, hasOrder: Bool = true, hasText: Bool = false,
        operand: @escaping @Sendable (String) throws(ValidationError) -> Operand
    ) {
        (self.word, self.name, self.valueName) = (word, name, valueName)
        (self.hasOrder, self.hasText, self.operand) = (hasOrder, hasText, operand)
    }

    fileprivate static func text(_ word: String, _ name: String) -> CommandField {
        CommandField(word, name, "a text", hasText: true) { $0.operand }
    }

    fileprivate static func temperature(_ word: String, _ name: String) -> CommandField {
        CommandField(word, name, "a temperature in °C") { text throws(ValidationError) in
            try Temperature(celsius: text).operand
        }
    }
}

/// The fields of an entity that conditions and sorts can name.
package struct FieldSet: Sendable {
    /// The parts of an entity, e.g. the days of a city's weather: the word for a condition on one of them, the name of
    /// the entity's field that contains them, and their fields. The condition is in parentheses after the word, e.g.
    /// `day (weather contains 雪)`.
    typealias Parts = (word: String, name: String, fields: [CommandField])

    let fields: [CommandField]
    var parts: Parts?

    /// The fields of users.
    package static let users = FieldSet(fields: [
        CommandField("id", User.fields.id.name, "a user id", hasText: true) { text throws(ValidationError) in
            try UserID(stored: text).operand
        },
        CommandField(
            "mail", User.fields.mailAddress.name, "a mail address", hasOrder: false, hasText: true
        ) { text throws(ValidationError) in
            try MailAddress(text).operand
        },
        CommandField("birthday", User.fields.birthday.name, "a date (yyyy-MM-dd)") { text throws(ValidationError) in
            try Birthday(text).operand
        },
        CommandField("day", User.fields.monthDay.name, "a month and day, MM-dd,") { text throws(ValidationError) in
            try MonthDay(text).operand
        },
    ])

    /// The fields of a city's weather, and of its days.
    package static let weather = FieldSet(
        fields: [
            CommandField(
                "city", Weather.fields.id.name, "a city code or name", hasText: true
            ) { text throws(ValidationError) in
                try CityCode(codeOrName: text).operand
            },
            .text("title", Weather.fields.title.name),
            CommandField(
                "published", Weather.fields.publishedAt.name, "a point in time (2026-11-21T17:00:00Z)"
            ) { text throws(ValidationError) in
                try Instant(text).operand
            },
            .text("description", Weather.fields.description.name),
        ],
        parts: (
            word: "day", name: Weather.fields.forecasts.name,
            fields: [
                CommandField("date", Forecast.fields.date.name, "a date (yyyy-MM-dd)") { text throws(ValidationError) in
                    try CalendarDate(text).operand
                },
                .text("weather", Forecast.fields.telop.name),
                .temperature("lowest", Forecast.fields.lowest.name),
                .temperature("highest", Forecast.fields.highest.name),
            ]
        ))

    /// The names of the fields by which entities can be sorted.
    package var sortNames: [String] { fields.map(\.word) }

    /// The field names and keywords that a condition can contain.
    package var words: [String] {
        sortNames + (parts.map { [$0.word] + $0.fields.map(\.word) } ?? [])
            + ["and", "or", "not", "exists", "contains", "begins", "ends", "like", "between", "in"]
    }

    /// The names of the fields and of the parts, as error messages list them.
    var names: String { (fields.map(\.word) + (parts.map { ["\($0.word) (…)"] } ?? [])).joined(separator: ", ") }
}
