package import UserProfileDomain

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
                return try LivedoorDecoder.read(document) { (dto: OpenMeteoDTO) throws(ValidationError) in
                    try dto.weather(of: city, respondedAt: respondedAt)
                }
            case .livedoor, .tsukumijima:
                return try LivedoorDecoder().decode(document, for: city)
            }
        } catch {
            if let message = LivedoorDecoder.errorMessage(in: document) { throw ErrorResponse(message: message) }
            throw error
        }
    }
}
