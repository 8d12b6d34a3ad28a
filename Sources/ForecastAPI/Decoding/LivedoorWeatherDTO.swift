import UserProfileDomain

/// What a service answers: weather, or, with status 200, that it does not know the city.
enum AnswerDTO: Decodable {
    private enum CodingKeys: String, CodingKey { case forecasts, error }

    case weather(LivedoorWeatherDTO)
    case refusal(String)

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        if !members.contains(.forecasts), let message = try members.text(.error) {
            self = .refusal(message)
        } else {
            self = .weather(try LivedoorWeatherDTO(from: decoder))
        }
    }
}

/// The weather document as the services write it.
struct LivedoorWeatherDTO: Decodable {
    private enum CodingKeys: String, CodingKey {
        case title, publicTime, description, forecasts
    }

    private let title: String
    private let publicTime: String
    private let description: String?
    private let forecasts: [LivedoorForecastDTO]

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        title = try members.requiredText(.title)
        publicTime = try members.requiredText(.publicTime)
        description = try members.object(.description, TextDTO.self)?.text
        forecasts = try members.decode([LivedoorForecastDTO].self, forKey: .forecasts)
    }

    func weather(of city: CityCode) throws(ValidationError) -> Weather {
        var days: [Forecast] = []
        for (index, forecast) in forecasts.enumerated() {
            days.append(try forecast.forecast(at: "forecasts[\(index)]"))
        }
        return Weather(
            id: city,
            title: title,
            publishedAt: try ValidationError.located(at: "publicTime") { () throws(ValidationError) in
                try Instant(publicTime)
            },
            description: description,
            forecasts: days)
    }

    /// `description`: an object whose member `text` is wanted.
    private struct TextDTO: Decodable {
        private enum CodingKeys: String, CodingKey { case text }

        let text: String?

        init(from decoder: any Decoder) throws {
            text = try decoder.container(keyedBy: CodingKeys.self).text(.text)
        }
    }
}

extension ValidationError {
    /// Says of a value's error which member of the document it is about.
    static func located<Value>(
        at path: String, _ body: () throws(ValidationError) -> Value
    ) throws(ValidationError) -> Value {
        do {
            return try body()
        } catch {
            throw ValidationError(
                .weatherDocument, given: error.given, rule: error.rule, offset: error.offset, path: path)
        }
    }
}
