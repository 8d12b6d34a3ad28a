// The declarations of this target use this module. Its re-export serves the files here and the programs that import
// the target.
@_exported public import UserProfileDomain

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
    ///
    /// ```swift
    /// let service = try ForecastService(.openMeteo)
    /// ```
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

    /// The public service weather.tsukumijima.net.
    public static let standard = ForecastService(
        provider: .tsukumijima, baseURL: Provider.tsukumijima.baseURL, coordinates: nil)
}

extension ForecastService {
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
        self.init(provider: provider, baseURL: text, coordinates: coordinates)
    }

    /// Returns the URL of the weather document of a city. Throws `ValidationError` if the service needs coordinates and
    /// none are known for the city, or if the URL is invalid.
    package func address(of city: CityCode) throws(ValidationError) -> URL {
        let invalid = ValidationError(.webAddress, given: baseURL, rule: "not a valid URL")
        guard var address = URLComponents(string: baseURL) else { throw invalid }
        while address.path.hasSuffix("/") { address.path.removeLast() }
        switch provider {
        case .livedoor:
            address.path += "/forecast/webservice/json/v1"
            address.queryItems = [URLQueryItem(name: "city", value: city.text)]
        case .tsukumijima:
            address.path += "/api/forecast/city/\(city)"
        case .openMeteo:
            guard let coordinates = coordinates ?? city.city?.prefectureOffice else {
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
        guard let url = address.url else { throw invalid }
        return url
    }
}

extension ForecastService {
    /// Decodes a document of the service.
    ///
    /// - Parameters:
    ///   - document: The bytes of the response.
    ///   - city: The code of the requested city.
    ///   - respondedAt: The time of the response. For Open-Meteo, it replaces the missing time of publication.
    /// - Returns: The weather, and a warning for each day that is left out.
    /// - Throws: ``FetchFailure`` if the document contains an error message instead of weather. `ValidationError` if
    ///   the document is invalid for another reason.
    package func weather(in document: [UInt8], of city: CityCode, respondedAt: Instant) throws -> DecodedWeather {
        do throws(ValidationError) {
            switch provider {
            case .openMeteo:
                return try DecodedWeather(openMeteo: document, for: city, respondedAt: respondedAt)
            case .livedoor, .tsukumijima:
                return try DecodedWeather(livedoor: document, for: city)
            }
        } catch {
            if let message = (try? JSONMember(parsing: document))?.errorMessage { throw FetchFailure.answer(message) }
            throw error
        }
    }
}

extension Instant {
    /// The current time of the system's clock. The domain never reads the clock, so pass this value to functions with a
    /// parameter `now`.
    public static var now: Instant {
        let interval = Date().timeIntervalSince1970
        let seconds = interval.rounded(.down)
        return Instant(seconds: Int64(seconds), nanoseconds: UInt32((interval - seconds) * 1e9))
    }
}

/// The options for requests to a ``ForecastService``: time limits, the size limit and retries. The defaults suit a
/// program with a person in front of it.
///
/// ```swift
/// var options = FetchOptions()
/// options.timeout = .seconds(5)
/// let source = HTTPForecastSource(.standard, options: options)
/// ```
public struct FetchOptions: Sendable {
    /// The value of the HTTP header field `User-Agent`.
    public var userAgent = "UserProfile/0.1.0"

    /// The time after which a request fails if it receives no bytes. The time starts with the request, and starts again
    /// whenever bytes arrive.
    public var idleTimeout: Duration = .seconds(10)

    /// The maximum time of a fetch, including its redirects, its retries and the delays before them.
    public var timeout: Duration = .seconds(30)

    /// The maximum size of a response in bytes, after decompression. A larger response is rejected.
    public var maximumByteCount = 1 << 20

    /// The maximum number of retries after a temporary failure: status 429 or 502 to 504, or a connection that was
    /// closed or reset.
    public var retryCount = 2

    /// The maximum delay before the first retry. The maximum doubles with each further retry, up to
    /// ``longestRetryDelay``.
    ///
    /// The actual delay is random, from half of the maximum to the maximum, so that many clients do not retry at the
    /// same time.
    package var retryDelay: Duration = .milliseconds(500)

    /// The maximum delay before a retry. If the service requests a longer delay, the request is not retried.
    package var longestRetryDelay: Duration = .seconds(30)

    /// The minimum time between the starts of two requests.
    package var spacing: Duration = .milliseconds(100)

    /// Creates options that suit most services.
    public init() {}
}
