import UserProfileDomain

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
