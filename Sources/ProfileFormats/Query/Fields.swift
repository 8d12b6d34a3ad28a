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

    init<Entity, Content>(
        _ word: String, _ field: EntityField<Entity, Content>, _ valueName: String, hasOrder: Bool = true,
        hasText: Bool = false, parse: @escaping @Sendable (String) throws(ValidationError) -> Content
    ) {
        (self.word, name, self.valueName) = (word, field.name, valueName)
        (self.hasOrder, self.hasText) = (hasOrder, hasText)
        operand = { text throws(ValidationError) in try parse(text).operand }
    }

    fileprivate static func text<Entity>(_ word: String, _ field: EntityField<Entity, String>) -> CommandField {
        CommandField(word, field, "a text", hasText: true) { $0 }
    }

    fileprivate static func temperature<Entity>(
        _ word: String, _ field: EntityField<Entity, Temperature>
    ) -> CommandField {
        CommandField(word, field, "a temperature in °C", parse: Temperature.init(celsius:))
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
        CommandField("id", User.fields.id, "a user id", hasText: true, parse: UserID.init(stored:)),
        CommandField(
            "mail", User.fields.mailAddress, "a mail address", hasOrder: false, hasText: true, parse: MailAddress.init),
        CommandField("birthday", User.fields.birthday, "a date (yyyy-MM-dd)", parse: Birthday.init),
        CommandField("day", User.fields.monthDay, "a month and day, MM-dd,", parse: MonthDay.init),
    ])

    /// The fields of a city's weather, and of its days.
    package static let weather = FieldSet(
        fields: [
            CommandField(
                "city", Weather.fields.id, "a city code or name", hasText: true, parse: CityCode.init(codeOrName:)),
            .text("title", Weather.fields.title),
            CommandField(
                "published", Weather.fields.publishedAt, "a point in time (2026-11-21T17:00:00Z)", parse: Instant.init),
            .text("description", Weather.fields.description),
        ],
        parts: (
            word: "day", name: Weather.fields.forecasts.name,
            fields: [
                CommandField("date", Forecast.fields.date, "a date (yyyy-MM-dd)", parse: CalendarDate.init),
                .text("weather", Forecast.fields.telop),
                .temperature("lowest", Forecast.fields.lowest),
                .temperature("highest", Forecast.fields.highest),
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
