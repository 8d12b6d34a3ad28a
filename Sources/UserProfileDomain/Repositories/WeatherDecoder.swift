/// A decoder for the weather documents of one weather service.
package protocol WeatherDecoder: Sendable {
    /// Decodes a weather document.
    ///
    /// - Parameters:
    ///   - document: The bytes of the document.
    ///   - city: The code of the city for which the document was requested. The document itself does not contain the
    ///     code.
    /// - Returns: The weather of the city.
    /// - Throws: ``ValidationError`` if the document is invalid. ``ValidationError/path`` names the invalid member, if
    ///   any.
    func decode(_ document: [UInt8], for city: CityCode) throws(ValidationError) -> Weather
}
