import ForecastAPI
import Foundation
import Testing
import UserProfileDomain

/// Decodes a document of which every day can be read.
func livedoorWeather(_ document: [UInt8], for city: CityCode) throws -> Weather {
    let decoded = try DecodedWeather(livedoor: document, for: city)
    #expect(decoded.warnings.isEmpty)
    return decoded.weather
}

/// A valid weather document of two days, in which single members can be changed or omitted.
struct WeatherDocument {
    private static let good = """
        {
          "title": "試験町 の天気",
          "publicTime": "2020-05-05T11:00:00+09:00",
          "description": {"text": "試験の一日です。", "publicTime": "2020-05-05T10:30:00+09:00"},
          "forecasts": [
            {
              "date": "2020-05-05", "dateLabel": "今日", "telop": "晴れ",
              "temperature": {"min": {"celsius": "11"}, "max": {"celsius": "23"}},
              "image": {"title": "晴れ", "url": "https://weather.example/1.gif"}
            },
            {
              "date": "2020-05-06", "dateLabel": "明日", "telop": "くもり",
              "temperature": {"min": {"celsius": "12"}, "max": {"celsius": "24"}},
              "image": {"title": "くもり", "url": "https://weather.example/2.gif"}
            }
          ]
        }
        """

    private var root: Any

    init() throws { root = try JSONSerialization.jsonObject(with: Data(WeatherDocument.good.utf8)) }

    /// Creates the valid document with one member changed.
    ///
    /// - Parameters:
    ///   - path: The member, as a `ValidationError` names it.
    ///   - json: Its value as JSON, or `nil` to omit the member.
    /// - Throws: An error if the path does not exist.
    init(_ path: String, _ json: String?) throws {
        try self.init()
        try set(path, json)
    }

    /// Changes, adds or removes a member.
    mutating func set(_ path: String, _ json: String?) throws {
        let value = try json.map { try JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed) }
        let names = path.split { ".[]".contains($0) }
        root = try #require(try WeatherDocument.setting(names[...], to: value, in: root))
    }

    /// Returns the document as a service would send it.
    func bytes() throws -> [UInt8] { Array(try JSONSerialization.data(withJSONObject: root)) }

    private static func setting(_ names: ArraySlice<Substring>, to value: Any?, in tree: Any) throws -> Any? {
        guard let name = names.first else { return value }
        if let index = Int(name) {
            var list = try #require(tree as? [Any])
            list[index] = try #require(try setting(names.dropFirst(), to: value, in: list[index]))
            return list
        }
        var object = try #require(tree as? [String: Any])
        object[String(name)] = try setting(names.dropFirst(), to: value, in: object[String(name)] ?? [String: Any]())
        return object
    }
}
