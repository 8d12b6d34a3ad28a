import UserProfileDomain

/// A weather document of a service, or with the member `publishedAt` a document that was printed by `profile-cli`.
enum WeatherDTO: Decodable {
    private enum CodingKeys: String, CodingKey { case publishedAt }

    case service(LivedoorWeatherDTO)
    case saved(SavedWeatherDTO)

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        if members.contains(.publishedAt) {
            self = .saved(try SavedWeatherDTO(from: decoder))
        } else {
            self = .service(try LivedoorWeatherDTO(from: decoder))
        }
    }
}

/// The response of a service, possibly with an error message instead of weather.
struct ErrorDTO: Decodable {
    private enum CodingKeys: String, CodingKey { case error, reason }

    /// The message, or `nil` if the response is not an error.
    let message: String?

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        // In a response of Open-Meteo, `error` is `true`, and `reason` is the message.
        message =
            try members.isNone(.error)
            ? nil : [.reason, .error].lazy.compactMap { try? members.text($0) }.first ?? "an error"
    }
}

/// A weather document in the JSON format of the livedoor service.
struct LivedoorWeatherDTO: Decodable {
    private enum CodingKeys: String, CodingKey {
        case title, publicTime, description, forecasts
    }

    private let title: String
    private let publicTime: String
    private let description: String?
    private let forecasts: DaysDTO<LivedoorForecastDTO>

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        title = try members.requiredText(.title)
        publicTime = try members.requiredText(.publicTime)
        description = try members.object(.description, TextDTO.self)?.text
        forecasts = try members.decode(DaysDTO<LivedoorForecastDTO>.self, forKey: .forecasts)
    }

    func weather(of city: CityCode) throws(ValidationError) -> DecodedWeather {
        try forecasts.list.decodedWeather(path: "forecasts") { days throws(ValidationError) in
            Weather(
                id: city,
                title: title,
                publishedAt: try ValidationError.located(at: "publicTime") { () throws(ValidationError) in
                    try Instant(publicTime)
                },
                description: description,
                forecasts: days)
        }
    }

    /// The member `description`: an object of which only the member `text` is decoded.
    private struct TextDTO: Decodable {
        private enum CodingKeys: String, CodingKey { case text }

        let text: String?

        init(from decoder: any Decoder) throws {
            text = try decoder.container(keyedBy: CodingKeys.self).text(.text)
        }
    }
}

extension ValidationError {
    /// Runs a closure, and converts its error to an error about the document, with the path of the member.
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
