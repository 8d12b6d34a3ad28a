import UserProfileDomain

// The JSON of Open-Meteo has an array for each kind of daily value, e.g. the highest temperature. Elements with the
// same index belong to the same day.
extension DecodedWeather {
    /// Decodes the weather of a city. The service reports neither a title nor a time of publication.
    ///
    /// - Parameters:
    ///   - document: The response of the service.
    ///   - city: The code of the requested city.
    ///   - respondedAt: The time of the response, which is used as the time of publication.
    /// - Throws: `ValidationError` with the path of the invalid member if no day can be read.
    init(openMeteo document: [UInt8], for city: CityCode, respondedAt: Instant) throws(ValidationError) {
        let root = try JSONMember(parsing: document, isLenient: false)
        let daily = try root["daily"]
        let dayCount = try daily["time"].elements().count
        func values(_ name: String) throws(ValidationError) -> [JSONMember]? {
            guard let values = try daily[name].optional?.elements() else { return nil }
            guard values.count == dayCount else {
                throw try daily[name].error("the array has \(values.count) values for \(dayCount) days")
            }
            return values
        }
        let (codes, lowest, highest) = (
            try values("weather_code"), try values("temperature_2m_min"), try values("temperature_2m_max")
        )
        let utcOffset = try root["utc_offset_seconds"].optional?.integer() ?? 0
        let today = respondedAt.date(utcOffset: utcOffset)
        try self.init(days: daily["time"]) { day, index throws(ValidationError) in
            let date = try day.value { text throws(ValidationError) in try CalendarDate(text) }
            return Forecast(
                date: date, dateLabel: Self.label(of: date, today: today),
                telop: try codes?[index].optional.map { code throws(ValidationError) in
                    Self.description(ofWeather: try code.integer())
                } ?? "",
                lowest: try lowest?[index].temperature(), highest: try highest?[index].temperature())
        } _: { days in
            let known = City.all.first { $0.code == city }
            return Weather(
                id: city, title: known.map { "\($0.region) \($0.name) の天気" } ?? "\(city) の天気",
                publishedAt: respondedAt, description: nil, forecasts: days)
        }
    }

    /// Returns the day in the words of the livedoor service: today, tomorrow or the day after tomorrow. Returns the
    /// date for any other day, or if `today` is `nil`.
    private static func label(of date: CalendarDate, today: CalendarDate?) -> String {
        guard let today else { return date.description }
        return switch date.dayCount(since: today) {
        case 0: "今日"
        case 1: "明日"
        case 2: "明後日"
        default: date.description
        }
    }

    /// Returns the Japanese description of a weather code, which is a part of WMO code table 4677. If the table does
    /// not contain the code, the description contains its number.
    private static func description(ofWeather code: Int) -> String { descriptions[code] ?? "天気コード\(code)" }

    private static let descriptions: [Int: String] = [
        0: "快晴", 1: "晴れ", 2: "一部曇り", 3: "曇り", 45: "霧", 48: "着氷性の霧", 51: "弱い霧雨", 53: "霧雨", 55: "強い霧雨",
        56: "着氷性の弱い霧雨", 57: "着氷性の強い霧雨", 61: "弱い雨", 63: "雨", 65: "強い雨", 66: "着氷性の弱い雨", 67: "着氷性の強い雨",
        71: "弱い雪", 73: "雪", 75: "強い雪", 77: "霧雪", 80: "弱いにわか雨", 81: "にわか雨", 82: "激しいにわか雨",
        85: "弱いにわか雪", 86: "強いにわか雪", 95: "雷雨", 96: "弱いひょうを伴う雷雨", 99: "強いひょうを伴う雷雨",
    ]
}

extension JSONMember {
    fileprivate func integer() throws(ValidationError) -> Int {
        guard let number = Int(try digits()) else { throw error("expected an integer") }
        return number
    }
}

extension Coordinates {
    /// Creates the coordinates of a city's prefecture office, because the service accepts only coordinates. Returns
    /// `nil` if no prefecture office is in the city.
    init?(prefectureOfficeIn city: CityCode) {
        // All coordinates of the table are valid.
        guard let (latitude, longitude) = Self.prefectureOffices[city.text],
            let office = try? Coordinates(latitude: latitude, longitude: longitude)
        else { return nil }
        self = office
    }

    private static let prefectureOffices: [String: (Double, Double)] = [
        "016010": (43.0642, 141.3469), "020010": (40.8244, 140.7400), "030010": (39.7036, 141.1527),
        "040010": (38.2688, 140.8721), "050010": (39.7186, 140.1024), "060010": (38.2404, 140.3633),
        "070010": (37.7500, 140.4678), "080010": (36.3418, 140.4468), "090010": (36.5658, 139.8836),
        "100010": (36.3911, 139.0608), "110010": (35.8569, 139.6489), "120010": (35.6051, 140.1233),
        "130010": (35.6895, 139.6917), "140010": (35.4478, 139.6425), "150010": (37.9024, 139.0232),
        "160010": (36.6953, 137.2113), "170010": (36.5947, 136.6256), "180010": (36.0652, 136.2216),
        "190010": (35.6642, 138.5684), "200010": (36.6513, 138.1812), "210010": (35.3912, 136.7223),
        "220010": (34.9769, 138.3831), "230010": (35.1802, 136.9066), "240010": (34.7303, 136.5086),
        "250010": (35.0045, 135.8686), "260010": (35.0211, 135.7556), "270000": (34.6863, 135.5200),
        "280010": (34.6913, 135.1830), "290010": (34.6853, 135.8327), "300010": (34.2260, 135.1675),
        "310010": (35.5036, 134.2383), "320010": (35.4722, 133.0505), "330010": (34.6618, 133.9344),
        "340010": (34.3966, 132.4596), "350020": (34.1861, 131.4705), "360010": (34.0658, 134.5593),
        "370000": (34.3401, 134.0434), "380010": (33.8416, 132.7661), "390010": (33.5597, 133.5311),
        "400010": (33.6064, 130.4181), "410010": (33.2494, 130.2988), "420010": (32.7448, 129.8737),
        "430010": (32.7898, 130.7417), "440010": (33.2382, 131.6126), "450010": (31.9111, 131.4239),
        "460010": (31.5602, 130.5581), "471010": (26.2124, 127.6809),
    ]
}
