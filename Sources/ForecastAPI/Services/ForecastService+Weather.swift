package import UserProfileDomain

extension ForecastService {
    /// An error which states that the service does not know a city. The response has status 200 but contains a message
    /// instead of weather.
    package struct UnknownCity: Error, CustomStringConvertible {
        let message: String

        package var description: String { "the service answered \(message.excerpt(200).quoted)" }
    }

    /// Decodes a document of the service.
    ///
    /// - Parameters:
    ///   - document: The bytes of the response.
    ///   - city: The code of the requested city.
    ///   - respondedAt: The time of the response. For Open-Meteo, it replaces the missing time of publication.
    /// - Returns: The weather.
    /// - Throws: ``UnknownCity`` if the service does not know the city, or `ValidationError` if the document is
    ///   invalid.
    package func weather(in document: [UInt8], of city: CityCode, respondedAt: Instant) throws -> Weather {
        switch provider {
        case .openMeteo:
            return try LivedoorDecoder.read(document) { (dto: OpenMeteoDTO) throws(ValidationError) in
                try dto.weather(of: city, respondedAt: respondedAt)
            }
        case .livedoor, .tsukumijima:
            switch try LivedoorDecoder().content(in: document, for: city) {
            case .weather(let weather): return weather
            case .error(let message): throw UnknownCity(message: message)
            }
        }
    }
}
