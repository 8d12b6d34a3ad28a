import UserProfileDomain

/// A daily forecast in the JSON format of the livedoor service.
struct LivedoorForecastDTO: DayDTO {
    private enum CodingKeys: String, CodingKey {
        case date, dateLabel, telop, temperature, image
    }

    private let date: String
    private let dateLabel: String
    private let telop: String?
    private let temperature: TemperaturesDTO?
    private let image: ImageDTO?

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        date = try members.requiredText(.date)
        dateLabel = try members.requiredText(.dateLabel)
        telop = try members.text(.telop)
        temperature = try members.object(.temperature, TemperaturesDTO.self)
        image = try members.object(.image, ImageDTO.self)
    }

    func forecast(at path: String) throws(ValidationError) -> Forecast {
        Forecast(
            date: try ValidationError.located(at: "\(path).date") { () throws(ValidationError) in
                try CalendarDate(date)
            },
            dateLabel: dateLabel,
            telop: telop ?? "",
            lowest: try temperature?.min?.temperature(at: "\(path).temperature.min.celsius"),
            highest: try temperature?.max?.temperature(at: "\(path).temperature.max.celsius"),
            imageURL: image?.url)
    }
}

/// The member `temperature`: the lowest and the highest temperature of a day.
private struct TemperaturesDTO: Decodable {
    private enum CodingKeys: String, CodingKey { case min, max }

    let min: TemperatureDTO?
    let max: TemperatureDTO?

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        min = try members.object(.min, TemperatureDTO.self)
        max = try members.object(.max, TemperatureDTO.self)
    }
}

/// A temperature in degrees Celsius and Fahrenheit. Only the member for Celsius is decoded.
private struct TemperatureDTO: Decodable {
    private enum CodingKeys: String, CodingKey { case celsius }

    private let celsius: String?

    init(from decoder: any Decoder) throws {
        celsius = try decoder.container(keyedBy: CodingKeys.self).text(.celsius)
    }

    func temperature(at path: String) throws(ValidationError) -> Temperature? {
        guard let celsius, !celsius.isEmpty else { return nil }
        return try ValidationError.located(at: path) { () throws(ValidationError) in
            try Temperature(celsius: celsius)
        }
    }
}

/// The member `image`: the picture of a day's weather.
private struct ImageDTO: Decodable {
    private enum CodingKeys: String, CodingKey { case url }

    let url: String?

    init(from decoder: any Decoder) throws {
        let url = try decoder.container(keyedBy: CodingKeys.self).text(.url)
        self.url = url.flatMap { $0.isEmpty ? nil : $0 }
    }
}

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
