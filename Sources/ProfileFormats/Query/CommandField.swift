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
