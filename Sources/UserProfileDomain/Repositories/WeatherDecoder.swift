/// A decoder for the weather documents of one weather service.
package protocol WeatherDecoder: Sendable {
    /// Decodes a weather document.
    ///
    /// - Parameters:
    ///   - document: The bytes of the document.
    ///   - city: The code of the city for which the document was requested. The document itself does not contain the
    ///     code.
    /// - Returns: The weather of the city, and a warning for each day that is left out because it cannot be read.
    /// - Throws: ``ValidationError`` if the document is invalid. ``ValidationError/path`` names the invalid member, if
    ///   any.
    func decode(_ document: [UInt8], for city: CityCode) throws(ValidationError) -> DecodedWeather
}

/// The weather in a document, and the reasons why it is incomplete.
package struct DecodedWeather: Hashable, Sendable {
    /// The weather with the days that can be read.
    package let weather: Weather

    /// The reason for each day of the document that is left out. ``ValidationError/path`` names the invalid member.
    package let warnings: [ValidationError]

    /// Creates a value from weather and warnings.
    package init(weather: Weather, warnings: [ValidationError] = []) {
        self.weather = weather
        self.warnings = warnings
    }
}
