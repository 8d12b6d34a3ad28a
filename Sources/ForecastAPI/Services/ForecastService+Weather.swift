package import UserProfileDomain

extension ForecastService {
    /// An answer with status 200 that says that the service does not know the city.
    package struct UnknownCity: Error, CustomStringConvertible {
        let message: String

        package var description: String { "it answered \(message.debugDescription)" }
    }

    /// Decodes a document of the service.
    ///
    /// - Parameters:
    ///   - document: the bytes of the answer.
    ///   - city: the city that was requested.
    ///   - answeredAt: when the service answered. Documents of Open-Meteo do not say when they were published.
    /// - Returns: the weather.
    /// - Throws: ``UnknownCity``, or `ValidationError` if the document is invalid.
    package func weather(in document: [UInt8], of city: CityCode, answeredAt: Instant) throws -> Weather {
        guard shape != .openMeteo else {
            return try JSONWeatherDecoder.read(document) { (dto: OpenMeteoDTO) throws(ValidationError) in
                try dto.weather(of: city, answeredAt: answeredAt)
            }
        }
        switch try JSONWeatherDecoder().answer(in: document, for: city) {
        case .weather(let weather): return weather
        case .refusal(let message): throw UnknownCity(message: message)
        }
    }
}
