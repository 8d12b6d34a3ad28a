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
