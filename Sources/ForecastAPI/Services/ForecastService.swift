public import UserProfileDomain

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A weather service on the web: what it speaks, and where it is.
public struct ForecastService: Hashable, Sendable {
    /// What a service speaks.
    public enum Shape: String, Sendable, CaseIterable {
        /// The livedoor weather service, `/forecast/webservice/json/v1?city=CODE`.
        case livedoor
        /// Its successor weather.tsukumijima.net, `/api/forecast/city/CODE`.
        case tsukumijima
        /// Open-Meteo, `/v1/forecast` with latitude, longitude and daily values.
        case openMeteo = "open-meteo"

        /// Where the service is, unless it is told otherwise.
        package var baseURL: String {
            switch self {
            case .livedoor: "https://weather.livedoor.com"
            case .tsukumijima: "https://weather.tsukumijima.net"
            case .openMeteo: "https://api.open-meteo.com"
            }
        }
    }

    /// What it speaks.
    package let shape: Shape

    /// Where it is: `https://…`, or `http://…` where that is wanted.
    package let baseURL: String

    /// The place to ask Open-Meteo for; none: that of the city's prefecture office.
    package let coordinates: Coordinates?

    private let base: URLComponents

    /// weather.tsukumijima.net.
    public static let standard = ForecastService(known: .tsukumijima, coordinates: nil)

    /// A service where it always is.
    private init(known shape: Shape, coordinates: Coordinates?) {
        self.shape = shape
        baseURL = shape.baseURL
        self.coordinates = coordinates
        base = URLComponents(string: shape.baseURL) ?? URLComponents()
    }

    /// Describes a service.
    ///
    /// - Parameters:
    ///   - shape: what it speaks.
    ///   - baseURL: where it is: `https://HOST`, with a port and a path where need be; nil: where it always is. Only
    ///     where it begins with `http://` nothing is encrypted.
    ///   - coordinates: the place to ask Open-Meteo for; nil: that of the city's prefecture office.
    /// - Throws: `ValidationError` where it is no such address.
    public init(
        _ shape: Shape = .tsukumijima, baseURL: String? = nil, coordinates: Coordinates? = nil
    ) throws(ValidationError) {
        let text = baseURL ?? shape.baseURL
        func refuse(_ rule: String) -> ValidationError { ValidationError(.webAddress, given: text, rule: rule) }
        guard let base = URLComponents(string: text), let scheme = base.scheme?.lowercased(),
            ["http", "https"].contains(scheme)
        else { throw refuse("it must be https://HOST, or http://HOST") }
        guard let host = base.host, !host.isEmpty else { throw refuse("the name of a host follows \(scheme)://") }
        guard base.user == nil, base.password == nil else { throw refuse("it must not have a user or a password") }
        guard base.query == nil, base.fragment == nil else { throw refuse("it must end with the path") }
        self.shape = shape
        self.baseURL = text
        self.coordinates = coordinates
        self.base = base
    }

    /// Returns the address of the weather of a city.
    package func address(of city: CityCode) throws(ValidationError) -> URL {
        var address = base
        while address.path.hasSuffix("/") { address.path.removeLast() }
        switch shape {
        case .livedoor:
            address.path += "/forecast/webservice/json/v1"
            address.queryItems = [URLQueryItem(name: "city", value: city.text)]
        case .tsukumijima:
            address.path += "/api/forecast/city/\(city)"
        case .openMeteo:
            guard let place = coordinates ?? PrefectureOffice.coordinates(of: city) else {
                throw ValidationError(
                    .city, given: city.text,
                    rule: "Open-Meteo is asked for a place, and this city has no prefecture office: give latitude and "
                        + "longitude")
            }
            address.path += "/v1/forecast"
            address.queryItems = [
                URLQueryItem(name: "latitude", value: "\(place.latitude)"),
                URLQueryItem(name: "longitude", value: "\(place.longitude)"),
                URLQueryItem(name: "daily", value: "weather_code,temperature_2m_max,temperature_2m_min"),
                URLQueryItem(name: "timezone", value: "Asia/Tokyo"),
                URLQueryItem(name: "forecast_days", value: "3"),
            ]
        }
        guard let url = address.url else {
            throw ValidationError(.webAddress, given: baseURL, rule: "no address can be made of it")
        }
        return url
    }
}
