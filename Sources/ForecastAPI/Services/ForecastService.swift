public import UserProfileDomain

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A weather service on the web, from which forecasts are fetched: its provider and its URL.
///
/// ```swift
/// let source = HTTPForecastSource(.standard)
/// let storage = try await UserProfileStorage.open(.lmdb("weather"), source: source)
/// ```
public struct ForecastService: Hashable, Sendable {
    /// The provider of a service, which determines the URLs of requests and the format of documents.
    public enum Provider: String, Sendable, CaseIterable {
        /// The livedoor weather service, with requests to `/forecast/webservice/json/v1?city=CODE`.
        case livedoor
        /// The service weather.tsukumijima.net, the successor of livedoor, with requests to `/api/forecast/city/CODE`.
        case tsukumijima
        /// Open-Meteo, with requests to `/v1/forecast` for a latitude and a longitude.
        case openMeteo = "open-meteo"

        /// The URL of the service that the provider itself runs.
        package var baseURL: String {
            switch self {
            case .livedoor: "https://weather.livedoor.com"
            case .tsukumijima: "https://weather.tsukumijima.net"
            case .openMeteo: "https://api.open-meteo.com"
            }
        }
    }

    /// The provider of the service.
    package let provider: Provider

    /// The URL of the service without the path of a request, `https://…` or `http://…`.
    package let baseURL: String

    /// The coordinates for requests to Open-Meteo, or `nil` to use the coordinates of the city's prefecture office.
    package let coordinates: Coordinates?

    private let base: URLComponents

    /// The public service weather.tsukumijima.net.
    public static let standard = ForecastService(known: .tsukumijima, coordinates: nil)

    /// Creates the service that the provider itself runs.
    private init(known provider: Provider, coordinates: Coordinates?) {
        self.provider = provider
        baseURL = provider.baseURL
        self.coordinates = coordinates
        base = URLComponents(string: provider.baseURL) ?? URLComponents()
    }

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - provider: The provider of the service.
    ///   - baseURL: The URL `https://HOST`, optionally with a port and a path, or `nil` for the provider's public
    ///     service. Requests to an `http://` URL are not encrypted.
    ///   - coordinates: The coordinates for requests to Open-Meteo, or `nil` to use the coordinates of the city's
    ///     prefecture office. Other providers ignore them.
    /// - Throws: `ValidationError` if the URL is invalid.
    public init(
        _ provider: Provider = .tsukumijima, baseURL: String? = nil, coordinates: Coordinates? = nil
    ) throws(ValidationError) {
        let text = baseURL ?? provider.baseURL
        func urlError(_ rule: String) -> ValidationError { ValidationError(.webAddress, given: text, rule: rule) }
        guard let base = URLComponents(string: text), let scheme = base.scheme?.lowercased(),
            ["http", "https"].contains(scheme)
        else { throw urlError("it must be https://HOST or http://HOST") }
        guard let host = base.host, !host.isEmpty else { throw urlError("the name of a host must follow \(scheme)://") }
        guard base.port.map((1...65_535).contains) ?? true else { throw urlError("a port is 1 to 65535") }
        // libcurl rejects other characters in the name of a host, and a line break would reach error messages.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw urlError("it must have visible ASCII characters only; write others as %XX, or in a host as xn--")
        }
        guard base.user == nil, base.password == nil else { throw urlError("it must not have a user or a password") }
        guard base.query == nil, base.fragment == nil else { throw urlError("it must not have a query or a fragment") }
        self.provider = provider
        self.baseURL = text
        self.coordinates = coordinates
        self.base = base
    }

    /// Returns the URL of the weather document of a city. Throws `ValidationError` if the service needs coordinates and
    /// none are known for the city, or if the URL is invalid.
    package func address(of city: CityCode) throws(ValidationError) -> URL {
        var address = base
        while address.path.hasSuffix("/") { address.path.removeLast() }
        switch provider {
        case .livedoor:
            address.path += "/forecast/webservice/json/v1"
            address.queryItems = [URLQueryItem(name: "city", value: city.text)]
        case .tsukumijima:
            address.path += "/api/forecast/city/\(city)"
        case .openMeteo:
            guard let coordinates = coordinates ?? PrefectureOffice.coordinates(of: city) else {
                throw ValidationError(
                    .city, given: city.text,
                    rule: "Open-Meteo needs coordinates, and this city has no prefecture office; pass latitude and "
                        + "longitude")
            }
            address.path += "/v1/forecast"
            address.queryItems = [
                URLQueryItem(name: "latitude", value: "\(coordinates.latitude)"),
                URLQueryItem(name: "longitude", value: "\(coordinates.longitude)"),
                URLQueryItem(name: "daily", value: "weather_code,temperature_2m_max,temperature_2m_min"),
                URLQueryItem(name: "timezone", value: "Asia/Tokyo"),
                URLQueryItem(name: "forecast_days", value: "3"),
            ]
        }
        guard let url = address.url else {
            throw ValidationError(.webAddress, given: baseURL, rule: "not a valid URL")
        }
        return url
    }
}

extension ForecastService {
    /// A response that has status 200 but contains an error message instead of weather.
    package struct ErrorResponse: FetchFailure, CustomStringConvertible {
        let message: String

        /// Whether the message states that the service does not know the city. Any other message says nothing about the
        /// city, e.g. that the service cannot reach the weather agency.
        package var isUnknownCity: Bool { message == "The specified city ID is invalid." }

        package var description: String { "the service answered \(message.excerpt(200).quoted)" }

        package var underlying: (any Error)? { nil }
    }

    /// Decodes a document of the service.
    ///
    /// - Parameters:
    ///   - document: The bytes of the response.
    ///   - city: The code of the requested city.
    ///   - respondedAt: The time of the response. For Open-Meteo, it replaces the missing time of publication.
    /// - Returns: The weather, and a warning for each day that is left out.
    /// - Throws: ``ErrorResponse`` if the document contains an error message instead of weather. `ValidationError` if
    ///   the document is invalid for another reason.
    package func weather(in document: [UInt8], of city: CityCode, respondedAt: Instant) throws -> DecodedWeather {
        do throws(ValidationError) {
            switch provider {
            case .openMeteo:
                return try OpenMeteoDecoder.decode(document, for: city, respondedAt: respondedAt)
            case .livedoor, .tsukumijima:
                return try LivedoorDecoder().decode(document, for: city)
            }
        } catch {
            if let message = (try? JSONMember(parsing: document))?.errorMessage {
                throw ErrorResponse(message: message)
            }
            throw error
        }
    }
}

/// The coordinates of the prefecture offices, for services that accept only coordinates. The table contains the cities
/// in which a prefecture office is located.
enum PrefectureOffice {
    /// Returns the coordinates of a city's prefecture office in degrees, or `nil` if the table does not contain the
    /// city.
    static func coordinates(of city: CityCode) -> Coordinates? {
        guard let (latitude, longitude) = coordinates[city.text] else { return nil }
        // All coordinates of the table are valid.
        return try? Coordinates(latitude: latitude, longitude: longitude)
    }

    private static let coordinates: [String: (Double, Double)] = [
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

/// The Japanese descriptions of the weather codes of Open-Meteo, which are a part of WMO code table 4677.
enum WeatherCode {
    /// Returns the description of a code. If the table does not contain the code, the description contains its number.
    static func description(for code: Int) -> String { table[code] ?? "天気コード\(code)" }

    private static let table: [Int: String] = [
        0: "快晴", 1: "晴れ", 2: "一部曇り", 3: "曇り", 45: "霧", 48: "着氷性の霧", 51: "弱い霧雨", 53: "霧雨", 55: "強い霧雨",
        56: "着氷性の弱い霧雨", 57: "着氷性の強い霧雨", 61: "弱い雨", 63: "雨", 65: "強い雨", 66: "着氷性の弱い雨", 67: "着氷性の強い雨",
        71: "弱い雪", 73: "雪", 75: "強い雪", 77: "霧雪", 80: "弱いにわか雨", 81: "にわか雨", 82: "激しいにわか雨",
        85: "弱いにわか雪", 86: "強いにわか雪", 95: "雷雨", 96: "弱いひょうを伴う雷雨", 99: "強いひょうを伴う雷雨",
    ]
}
